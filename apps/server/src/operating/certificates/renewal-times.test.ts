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
    [0, 1, 2, 3, 4, 5, 6, 100].map((failures) => nextAttemptAt(0, failures, isFresh) / MINUTE)
  assert.deepEqual(pauses(false), [0, 1, 20, 30, 60, 120, 360, 360])
  assert.deepEqual(pauses(true), [0, 1, 20, 25, 25, 25, 25, 25])
})

for (const isFresh of [false, true])
  test(`HTTPS-8: attempts with two failed proofs each are within Let's Encrypt's limit${isFresh ? ', also with restarts' : ''}`, () => {
    const allowance = 5
    const refillMs = 12 * MINUTE
    let left: number = allowance
    let triedAt = 0
    for (let failures = 0; failures < 50; failures += 1) {
      const at = nextAttemptAt(triedAt, failures, isFresh)
      left = Math.min(allowance, left + (at - triedAt) / refillMs) - 2
      assert.ok(left >= 0, `after ${failures + 1} attempts`)
      triedAt = at
    }
  })
