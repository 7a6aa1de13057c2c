import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { NextStep } from './next-step.ts'
import { ProbeCluster } from './probe-cluster.ts'
import { Probes } from './probes.ts'

const USUALLY_LOST = 0.02
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
    const result = cluster((_, atMs) => atMs + 5_000_000).result(USUALLY_LOST)
    assert.deepEqual(result, { bps: 0.95 * 4_000_000, isFull: false, isWhole: true })
  })

  test('measures the rate of a line that is full', () => {
    // One packet every 4 ms: 2 Mbit/s.
    const result = cluster((at) => 120 + 4 * at).result(USUALLY_LOST)
    assert.deepEqual(result, { bps: 0.95 * 2_000_000, isFull: true, isWhole: true })
  })

  test('measures the same if as many packets are lost as usual, and nothing if more are', () => {
    const some = cluster((at, atMs) => (at % 10 === 7 ? undefined : atMs))
    const result = some.result(0.05)
    assert.ok(result !== undefined && Math.abs(result.bps - 0.95 * 4_000_000) < 200_000, String(result?.bps))
    assert.deepEqual([result.isFull, result.isWhole], [false, false])
    const many = cluster((at, atMs) => (at % 4 === 0 ? undefined : atMs)).result(0.05)
    assert.deepEqual(many, { bps: 0, isFull: true, isWhole: false })
  })

  test('does not take jitter for a full line', () => {
    assert.equal(cluster((at, atMs) => atMs + ((at * 7) % 5) * 6).result(USUALLY_LOST)?.isFull, false)
    const later = (ms: number) => (at: number, atMs: number) => atMs + (at < 15 ? 0 : ms)
    assert.equal(cluster(later(5)).result(USUALLY_LOST)?.isFull, false)
    assert.equal(cluster(later(8)).result(USUALLY_LOST)?.isFull, true)
  })

  test('measures nothing if too few packets arrive, or all at once', () => {
    assert.equal(cluster((at, atMs) => (at % 6 === 0 ? atMs : undefined)).result(USUALLY_LOST)?.isFull, true)
    assert.equal(cluster((at, atMs) => (at % 7 === 0 ? atMs : undefined)).result(USUALLY_LOST), undefined)
    assert.equal(cluster((at, atMs) => (at < 10 ? atMs : undefined)).result(USUALLY_LOST), undefined)
    assert.equal(cluster(() => 200).result(USUALLY_LOST), undefined)
    assert.equal(new ProbeCluster().result(USUALLY_LOST), undefined)
  })
})

const FULL = { bps: 850_000, isFull: true, isWhole: true }
const CARRIED = { bps: 475_000, isFull: false, isWhole: true }

/** Probes of a viewer with a budget. Tests set its time. */
class Scene {
  readonly probes = new Probes()
  budgetBps = 900_000
  /** As without audio, by default. */
  lineBps: number | undefined
  nowMs = 0

  next(step: NextStep = STEP): number | undefined {
    return this.probes.next(
      { picturesBps: this.budgetBps, lineBps: this.lineBps ?? this.budgetBps },
      step,
      this.nowMs,
    )
  }

  /** Returns the milliseconds until the next probe. */
  wait(): number {
    const beganAt = this.nowMs
    while (this.next() === undefined) this.nowMs += 50
    return this.nowMs - beganAt
  }

  /** The next probe raises the budget, which then falls again. @returns the wait for the probe after that */
  riseAndFall(): number {
    this.wait()
    this.probes.receive(CARRIED, true, this.nowMs)
    this.budgetBps *= 1.5
    this.next()
    this.nowMs += 500
    this.budgetBps /= 1.5
    this.next()
    return this.wait()
  }
}

suite('BUDGET-7: the next probe', () => {
  test('is none for a viewer who has all it wants', () => {
    assert.equal(new Scene().next({ ...STEP, wantedBps: undefined }), undefined)
  })

  test('tries twice the budget until the line is full, and then the next layer', () => {
    const scene = new Scene()
    scene.budgetBps = 250_000
    assert.equal(scene.next(), 500_000)
    assert.equal(scene.next(), undefined, 'not during another')
    scene.probes.receive(CARRIED, true, 0)
    scene.budgetBps = 475_000
    assert.equal(scene.next(), 950_000)
    scene.probes.receive(FULL, true, 0)
    scene.budgetBps = 850_000
    assert.equal(scene.next(), undefined)
    scene.nowMs = 1000
    assert.equal(scene.next(), 950_000 * 1.25)
  })

  test('tries twice the budget again if the line carries more than when it seemed full', () => {
    const scene = new Scene()
    scene.probes.receive(FULL, true, 0)
    scene.budgetBps = 850_000
    scene.nowMs = 1000
    scene.next()
    scene.probes.receive({ ...CARRIED, bps: 1_000_000 }, true, scene.nowMs)
    scene.budgetBps = 1_000_000
    assert.equal(scene.next(), 2_000_000)
  })

  test('tries twice the budget after a fall, up to the budget that had lasted, until the line is full', () => {
    const scene = new Scene()
    scene.budgetBps = 4_000_000
    scene.next()
    scene.probes.receive(FULL, false, 0)
    scene.budgetBps = 400_000
    assert.equal(scene.wait(), 2000)
    scene.probes.receive({ ...CARRIED, bps: 420_000 }, true, scene.nowMs)
    scene.budgetBps = 2_800_000
    assert.equal(scene.next(), 5_000_000)
    scene.probes.receive(FULL, false, scene.nowMs)
    scene.budgetBps = 600_000
    scene.nowMs += 20_000
    scene.next()
    scene.probes.receive(FULL, false, scene.nowMs)
    scene.nowMs += 2000
    assert.equal(scene.next(), 900_000)
  })

  test('does not come sooner after a full line was measured a little higher', () => {
    const scene = new Scene()
    scene.wait()
    scene.probes.receive({ ...FULL, bps: 950_000 }, true, scene.nowMs)
    scene.budgetBps = 930_000
    assert.equal(scene.wait(), 1000)
    scene.probes.receive({ ...FULL, bps: 940_000 }, true, scene.nowMs)
    assert.equal(scene.wait(), 2000)
  })

  test('tries at most 1.5 times the budget on a line that has been full, but enough for several packets', () => {
    const scene = new Scene()
    scene.probes.receive(FULL, false, 0)
    scene.nowMs = 5000
    scene.budgetBps = 600_000
    assert.equal(scene.next(), 900_000)
    scene.nowMs += 2000
    scene.budgetBps = 50_000
    assert.equal(scene.next(), undefined, 'a fall delays it')
    scene.nowMs += 2000
    assert.equal(scene.next(), 250_000)
  })

  test('comes after 1, 2, 4 … 20 seconds while the line is full, and after one if nothing was measured', () => {
    const scene = new Scene()
    const waits = Array.from({ length: 8 }, () => {
      const wait = scene.wait()
      scene.probes.receive(FULL, false, scene.nowMs)
      return wait
    })
    assert.deepEqual(waits, [0, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000])
    scene.wait()
    scene.probes.receive(undefined, false, scene.nowMs)
    assert.equal(scene.wait(), 1000)
  })

  test('comes soon after a fall, also within a long pause', () => {
    const scene = new Scene()
    for (let at = 0; at < 8; at += 1) {
      scene.wait()
      scene.probes.receive(FULL, false, scene.nowMs)
    }
    scene.budgetBps = 500_000
    assert.equal(scene.wait(), 2000)
  })

  test('is not delayed when more users speak, which leaves less for pictures', () => {
    const scene = new Scene()
    scene.lineBps = 980_000
    scene.next()
    scene.probes.receive(undefined, false, scene.nowMs)
    scene.budgetBps = 800_000
    assert.equal(scene.wait(), 1000)
  })

  test('comes after 4, 8 … seconds also if bold probes were wrong', () => {
    const scene = new Scene()
    scene.wait()
    scene.probes.receive({ ...FULL, bps: 300_000 }, false, scene.nowMs)
    const waits = Array.from({ length: 3 }, () => scene.riseAndFall())
    assert.deepEqual(waits, [4000, 8000, 16_000])
  })

  test('comes after 4, 8 … 60 seconds if the budget fell from its last rise, until a rise has lasted', () => {
    const scene = new Scene()
    scene.wait()
    scene.probes.receive(FULL, false, scene.nowMs)
    const waits = Array.from({ length: 6 }, () => scene.riseAndFall())
    assert.deepEqual(waits, [4000, 8000, 16_000, 32_000, 60_000, 60_000])
    scene.probes.receive(CARRIED, true, scene.nowMs)
    scene.nowMs += 10_000
    scene.next()
    assert.equal(scene.riseAndFall(), 4000)
  })

  test('is made at once if another has had no answer for two seconds', () => {
    const scene = new Scene()
    scene.next()
    assert.equal(scene.wait(), 2000)
  })
})
