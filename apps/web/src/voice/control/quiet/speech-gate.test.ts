import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SpeechGate } from './speech-gate.ts'

/** Returns the last sample of each frame of a constant sound with these probabilities of speech. */
function gains(probabilities: readonly number[]): number[] {
  const gate = new SpeechGate()
  return probabilities.map((probability) => {
    const frame = new Float32Array(480).fill(1)
    gate.apply(frame, probability)
    return Number(frame[479]?.toFixed(2))
  })
}

const frames = (count: number, probability: number) => new Array<number>(count).fill(probability)

test('QUIET-3: it opens within a frame of probable speech, and closes slowly 300 ms after it', () => {
  const [closed, open, ...later] = gains([0.1, 0.9, ...frames(60, 0.1)])
  assert.deepEqual([closed, open], [0.1, 1])
  assert.equal(later.filter((gain) => gain === 1).length, 29)
  assert.ok(later.slice(29, 38).every((gain, index, all) => index === 0 || gain < (all[index - 1] ?? 0)))
  assert.equal(later.at(-1), 0.1)
})

test('QUIET-3: it stays open while speech is less certain, and does not open then', () => {
  assert.equal(gains([0.9, ...frames(100, 0.5)]).at(-1), 1)
  assert.equal(gains(frames(100, 0.5)).at(-1), 0.1)
})
