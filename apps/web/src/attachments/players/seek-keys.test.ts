import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionAfter } from './seek-keys.ts'

test('WEB-21: arrows seek by five seconds, and Home and End to the ends', () => {
  const after = (key: string, at: number, isRightToLeft = false) =>
    positionAfter({ key, isRightToLeft }, { at, length: 12 })
  assert.deepEqual(
    ['ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'Home', 'End'].map((key) => after(key, 6)),
    [11, 11, 1, 1, 0, 12],
  )
  assert.deepEqual([after('ArrowRight', 10), after('ArrowLeft', 3)], [12, 0])
  assert.deepEqual([after('ArrowRight', 6, true), after('ArrowLeft', 6, true)], [1, 11])
  assert.equal(after('a', 6), null)
})
