import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FRAME_SAMPLES, FrameBridge } from './frame-bridge.ts'

for (const block of [1, 100, 128, 256, 480]) {
  test(`QUIET-2: blocks of ${block} samples leave in order, one frame late, whatever their size`, () => {
    const lengths: number[] = []
    const bridge = new FrameBridge((frame) => lengths.push(frame.length))
    const input = Float32Array.from({ length: 50 * FRAME_SAMPLES }, (_, at) => at + 1)
    const output = new Float32Array(input.length)
    for (let at = 0; at + block <= input.length; at += block)
      bridge.pass(input.subarray(at, at + block), output.subarray(at, at + block))
    const whole = Math.floor(input.length / block) * block
    const expected = [...new Float32Array(FRAME_SAMPLES), ...input.subarray(0, whole - FRAME_SAMPLES)]
    assert.deepEqual([...output.subarray(0, whole)], expected)
    assert.ok(lengths.every((length) => length === FRAME_SAMPLES))
  })
}
