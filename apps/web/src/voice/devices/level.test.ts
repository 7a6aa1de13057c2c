import assert from 'node:assert/strict'
import { test } from 'node:test'
import { levelOf } from './level.ts'

const tone = (loudness: number) => Array.from({ length: 1024 }, (_, i) => loudness * Math.sin(i / 5))

test('the meter is empty in silence, full at full volume, and perceptual in between', () => {
  assert.equal(levelOf(tone(0)), 0)
  assert.equal(levelOf(tone(1)), 1)
  const steps = [0.001, 0.01, 0.1].map((loudness) => levelOf(tone(loudness)))
  const [quiet = 0, middle = 0, loud = 0] = steps
  assert.ok(quiet < 0.1 && loud > 0.5 && loud < 0.9)
  assert.ok(
    Math.abs(loud - middle - (middle - quiet)) < 0.4,
    'ten times as loud is a step of about the same size',
  )
})
