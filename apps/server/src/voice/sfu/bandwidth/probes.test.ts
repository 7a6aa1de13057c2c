import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ProbeCluster } from './probe-cluster.ts'
import { Probes } from './probes.ts'

const STEP = { chosenBps: 600_000, wantedBps: 950_000, bestBps: 6_800_000 }

/** Sends five packets of 1,000 bytes every 10 ms for 40 ms: 4 Mbit/s. @returns those that arrive as `arrive` says */
function cluster(arrive: (at: number, atMs: number) => number | undefined): ProbeCluster {
  const probe = new ProbeCluster()
  const packets = Array.from({ length: 25 }, (_, at) => ({
    bytes: 1000,
    atMs: 100 + 10 * Math.floor(at / 5),
  }))
  for (const packet of packets) probe.send(packet)
  assert.equal(probe.isReported, false)
  for (const [at, packet] of packets.entries()) probe.receive(packet, arrive(at, packet.atMs))
  assert.equal(probe.isReported, true)
  return probe
}

suite('BUDGET-7: a probe', () => {
  test('measures the rate that was sent if the line carries it, whatever the clock of the client', () => {
    const result = cluster((_, atMs) => atMs + 5_000_000).result()
    assert.deepEqual(result, { bps: 0.95 * 4_000_000, isFull: false })
  })

  test('measures the rate of a line that is full', () => {
    // One packet every 4 ms: 2 Mbit/s.
    const result = cluster((at) => 120 + 4 * at).result()
    assert.deepEqual(result, { bps: 0.95 * 2_000_000, isFull: true })
  })

  test('measures nothing if too few packets arrive, or all at once', () => {
    assert.equal(cluster((at, atMs) => (at % 4 === 0 ? undefined : atMs)).result(), undefined)
    assert.equal(cluster(() => 200).result(), undefined)
    assert.equal(new ProbeCluster().result(), undefined)
  })

  test('is not made for a viewer who has all it wants', () => {
    assert.equal(new Probes().next(250_000, { ...STEP, wantedBps: undefined }, 0), undefined)
  })

  test('tries twice the budget until the line is full, and then the next layer', () => {
    const probes = new Probes()
    assert.equal(probes.next(250_000, STEP, 0), 500_000)
    assert.equal(probes.next(250_000, STEP, 100), undefined, 'not during another')
    probes.receive({ bps: 475_000, isFull: false }, 250_000, 150)
    assert.equal(probes.next(475_000, STEP, 150), 950_000)
    probes.receive({ bps: 900_000, isFull: true }, 475_000, 300)
    assert.equal(probes.next(900_000, STEP, 300), 950_000 * 1.25)
    assert.equal(probes.next(300_000, STEP, 5000), 450_000, 'but no more than 1.5 times the budget')
  })

  test('is made again after 1, 2, 4 … 60 seconds if it finds no more, and at once if it does', () => {
    const probes = new Probes()
    let nowMs = 0
    const waitMs = () => {
      const beganAt = nowMs
      while (probes.next(900_000, STEP, nowMs) === undefined) nowMs += 50
      return nowMs - beganAt
    }
    const waits = Array.from({ length: 9 }, () => {
      const wait = waitMs()
      probes.receive({ bps: 850_000, isFull: true }, 900_000, nowMs)
      return wait
    })
    assert.deepEqual(waits, [0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    waitMs()
    probes.receive({ bps: 1_000_000, isFull: false }, 900_000, nowMs)
    assert.equal(waitMs(), 0)
    probes.receive(undefined, 900_000, nowMs)
    assert.equal(waitMs(), 1000)
  })

  test('is given up after two seconds without a report', () => {
    const probes = new Probes()
    assert.ok(probes.next(900_000, STEP, 0))
    assert.equal(probes.next(900_000, STEP, 1950), undefined)
    assert.ok(probes.next(900_000, STEP, 2000))
  })
})
