import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseAfter } from './pacing.ts'

test('ERASE-3: a pause is nine times as long as its batch, and at most ten seconds', () => {
  assert.deepEqual([0, 1, 100, 1111, 1112, 60_000].map(pauseAfter), [0, 9, 900, 9999, 10_000, 10_000])
})
