import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pacer } from './pacer.ts'
import { Padding } from './padding.ts'
import { Probing } from './probing.ts'

const MBPS = 1_000_000

test('BUDGET-6: a burst is spread over time, in its order', () => {
  const sent: number[] = []
  const pacer = new Pacer((packet) => sent.push(packet[0] ?? 0) > 0)
  pacer.setRate(MBPS, 0)
  for (let at = 0; at < 50; at += 1) assert.ok(pacer.send(Buffer.alloc(1000, at), 100))
  assert.ok(sent.length < 5, `${sent.length} at once`)
  for (let nowMs = 110; nowMs < 300; nowMs += 10) pacer.flush(nowMs)
  const share = sent.length / 50
  assert.ok(share > 0.35 && share < 0.65, `${sent.length} after 200 ms`)
  for (let nowMs = 300; nowMs < 600; nowMs += 10) pacer.flush(nowMs)
  assert.deepEqual(
    sent,
    Array.from({ length: 50 }, (_, at) => at),
  )
})

test('BUDGET-6: what would wait too long is dropped, and nothing waits without a budget', () => {
  const sent: number[] = []
  const pacer = new Pacer((packet) => sent.push(packet[0] ?? 0) > 0)
  pacer.setRate(MBPS / 10, 0)
  for (let at = 0; at < 20; at += 1) pacer.send(Buffer.alloc(1000, 1), 100)
  pacer.send(Buffer.alloc(1000, 2), 2000)
  assert.equal(sent.at(-1), 2)
  assert.ok(sent.length < 10, `${sent.length} packets, of which some had waited for two seconds`)
  const free = new Pacer(() => true)
  free.setRate(Number.POSITIVE_INFINITY, 0)
  for (let at = 0; at < 1000; at += 1) assert.ok(free.send(Buffer.alloc(1000), 100))
})

test('FAULT-2: what waits is bounded, whatever is to be sent', () => {
  const sent: Buffer[] = []
  const pacer = new Pacer((packet) => sent.push(packet) > 0)
  pacer.setRate(MBPS, 0)
  let taken = 0
  for (let count = 0; count < 20_000; count += 1) taken += Number(pacer.send(Buffer.alloc(1000), 100))
  assert.ok(taken - sent.length <= 4000, `${taken - sent.length} packets wait`)
  pacer.drop(() => true)
  assert.ok(pacer.send(Buffer.alloc(1000), 101), 'there is room again')
})

test('BUDGET-6: what waits can be dropped by its stream, and the others go on', () => {
  const sent: number[] = []
  const pacer = new Pacer((packet) => sent.push(packet[0] ?? 0) > 0)
  pacer.setRate(MBPS / 10, 0)
  for (let at = 0; at < 8; at += 1) pacer.send(Buffer.alloc(1000, at % 2), 100)
  const before = sent.length
  pacer.drop((packet) => packet[0] === 1)
  for (let nowMs = 110; nowMs < 880; nowMs += 10) pacer.flush(nowMs)
  assert.ok(sent.length > before)
  assert.ok(sent.slice(before).every((stream) => stream === 0))
})

test('BUDGET-7: padding has the rate that is set, and numbers without a gap', () => {
  const repair = { ssrc: 5, payloadType: 97, sequence: 0xfffe }
  const padding = new Padding()
  assert.deepEqual(padding.take(repair, 0), [])
  padding.setRate(MBPS, 0)
  const packets = Array.from({ length: 100 }, (_, at) => padding.take(repair, 10 * (at + 1))).flat()
  const bits = packets.reduce((sum, packet) => sum + (packet.length - 12) * 8, 0)
  assert.ok(Math.abs(bits - MBPS) < 5000, String(bits))
  assert.deepEqual(
    packets.slice(0, 3).map((packet) => packet.readUInt16BE(2)),
    [0xffff, 0, 1],
  )
  for (const packet of packets.slice(0, 3)) {
    assert.equal(packet[0], 0xa0)
    assert.equal(packet.at(-1), packet.length - 12, 'nothing but padding')
  }
  padding.setRate(0, 1000)
  assert.deepEqual(padding.take(repair, 60_000), [])
})

test('BUDGET-7: padding fills the budget up to the next layer, and waits after an overuse', () => {
  const probing = new Probing()
  const rate = (budgetBps: number, sentBps: number, wantedBps: number | undefined, nowMs: number) =>
    probing.rate({ budgetBps, sentBps, wantedBps }, nowMs)
  assert.equal(rate(300_000, 150_000, undefined, 0), 0, 'the viewer has all it wants')
  assert.equal(rate(300_000, 150_000, 500_000, 0), 150_000)
  assert.equal(rate(450_000, 150_000, 500_000, 50), 300_000)
  assert.equal(rate(600_000, 150_000, 500_000, 100), 350_000, 'no more than it needs')
  assert.equal(rate(200_000, 150_000, 500_000, 1000), 0)
  assert.equal(rate(200_000, 150_000, 500_000, 4900), 0)
  assert.equal(rate(200_000, 150_000, 500_000, 5100), 50_000)
  assert.equal(rate(100_000, 0, 150_000, 6000), 80_000, 'an estimate of nothing would never rise')
})
