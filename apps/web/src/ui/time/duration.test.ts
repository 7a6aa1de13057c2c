import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration } from './duration.ts'

test('a duration is formatted in the largest unit that divides it', () => {
  const texts = [1, 30, 60, 90, 120, 3600, 5400, 21_600, 604_800].map(formatDuration)
  assert.deepEqual(texts, [
    '1 second',
    '30 seconds',
    '1 minute',
    '90 seconds',
    '2 minutes',
    '1 hour',
    '90 minutes',
    '6 hours',
    '7 days',
  ])
})
