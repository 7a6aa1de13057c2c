import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextAttemptAt, renewalTimeOf } from './renewal-times.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

test('HTTPS-6: the time of the renewal leaves 30 days, or a third of a shorter life', () => {
  const days = (life: number) => (life * DAY - renewalTimeOf({ startsAt: 0, endsAt: life * DAY })) / DAY
  assert.deepEqual([365, 90, 45, 6].map(days), [30, 30, 15, 2])
})

test('HTTPS-8: attempts that fail become rarer, and sooner after a restart', () => {
  const pauses = (isFresh: boolean) =>
    [0, 1, 2, 3, 4, 5, 6, 7, 100].map((failures) => nextAttemptAt(0, failures, isFresh) / MINUTE)
  assert.deepEqual(pauses(false), [0, 1, 5, 15, 30, 60, 120, 360, 360])
  assert.deepEqual(pauses(true), [0, 1, 5, 15, 20, 20, 20, 20, 20])
})
