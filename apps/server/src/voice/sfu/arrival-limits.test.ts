import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type ArrivalDecision, ArrivalLimits } from './arrival-limits.ts'

suite('SFU-8: a client', () => {
  test('may send 150 packets in a burst and per second', () => {
    const limits = new ArrivalLimits(0)
    assert.deepEqual(tally(limits, { packets: 200, bytes: 100, atMs: 0 }), { pass: 150, over: 50, flood: 0 })
    assert.deepEqual(tally(limits, { packets: 200, bytes: 100, atMs: 500 }), {
      pass: 75,
      over: 125,
      flood: 0,
    })
  })

  test('may send 80,000 bytes in a burst and per second', () => {
    const limits = new ArrivalLimits(0)
    assert.deepEqual(tally(limits, { packets: 100, bytes: 1000, atMs: 0 }), { pass: 80, over: 20, flood: 0 })
    assert.deepEqual(tally(limits, { packets: 100, bytes: 1000, atMs: 1000 }), {
      pass: 80,
      over: 20,
      flood: 0,
    })
  })

  test('floods with over 1,500 packets within a second, but not with as many in two', () => {
    const limits = new ArrivalLimits(0)
    assert.equal(tally(limits, { packets: 1500, bytes: 10, atMs: 0 }).flood, 0)
    assert.equal(tally(limits, { packets: 1500, bytes: 10, atMs: 1000 }).flood, 0)
    assert.equal(limits.check(10, 1999), 'flood')
  })
})

function tally(
  limits: ArrivalLimits,
  { packets, bytes, atMs }: { packets: number; bytes: number; atMs: number },
): Record<ArrivalDecision, number> {
  const counts: Record<ArrivalDecision, number> = { pass: 0, over: 0, flood: 0 }
  for (let sent = 0; sent < packets; sent += 1) counts[limits.check(bytes, atMs)] += 1
  return counts
}
