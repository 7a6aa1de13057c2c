import assert from 'node:assert/strict'
import { test } from 'node:test'
import { elapsedClock } from './elapsed.ts'

test('elapsed time is a clock with hours if there are any', () => {
  const clocks = [-500, 0, 61_999, 3_723_000].map(elapsedClock)
  assert.deepEqual(clocks, ['0:00', '0:00', '1:01', '1:02:03'])
})
