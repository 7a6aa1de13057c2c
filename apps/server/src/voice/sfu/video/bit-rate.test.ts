import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BitRate } from './bit-rate.ts'

const FRAME_MS = 40

/** Frames of 5,000 bytes at 25 a second, 1 Mbit/s, and the highest rate that was ever measured of them. */
function highest(seconds: number, isKeyFrame: (frame: number) => boolean, keyBytes: number): number {
  const rate = new BitRate()
  let most = 0
  for (let frame = 0; frame < seconds * 25; frame += 1) {
    const isKey = isKeyFrame(frame)
    rate.add(isKey ? keyBytes : 5000, frame * FRAME_MS, isKey)
    most = Math.max(most, rate.perSecond)
  }
  return most
}

test('BUDGET-1: a key frame does not make its layer look faster for good, and a stream of key frames has its full rate', () => {
  const without = highest(10, () => false, 0)
  assert.ok(Math.abs(without - 1_000_000) < 50_000, String(without))
  const withOne = highest(10, (frame) => frame === 100, 60_000)
  assert.ok(withOne > without && withOne < 1_200_000, String(withOne))
  const onlyKeys = highest(20, () => true, 5000)
  assert.ok(onlyKeys > 900_000 && onlyKeys < 1_100_000, String(onlyKeys))
})

test('BUDGET-1: a stream is measured after a quarter of its first second', () => {
  const rate = new BitRate()
  for (let frame = 0; frame < 25; frame += 1) {
    rate.add(5000, frame * FRAME_MS)
    assert.ok(rate.isNew && rate.perSecond < 1_100_000, `frame ${frame}: ${rate.perSecond}`)
    if (frame * FRAME_MS >= 200) assert.ok(rate.perSecond > 900_000, `frame ${frame}: ${rate.perSecond}`)
  }
  rate.add(5000, 25 * FRAME_MS)
  assert.ok(!rate.isNew)
})
