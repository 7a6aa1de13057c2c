import assert from 'node:assert/strict'
import { test } from 'node:test'
import { staysIn } from './shown.ts'

const NOW = '2026-01-01T00:00:00.000Z'
const LISTS = ['', 'frozen', 'held', 'deleted']

test('OPERATOR-42: a space stays in a list of the console as long as it belongs there', () => {
  const listsOf = (isFrozen: boolean, isHeld: boolean, isDeleted: boolean) => {
    const at = (isSo: boolean) => (isSo ? NOW : null)
    const changed = { space: { frozen_at: at(isFrozen) }, held_at: at(isHeld), deleted_at: at(isDeleted) }
    return LISTS.filter((shown) => staysIn(shown, changed))
  }
  assert.deepEqual(listsOf(false, false, false), [''])
  assert.deepEqual(listsOf(true, false, false), ['', 'frozen'])
  assert.deepEqual(listsOf(false, true, false), ['', 'held'])
  assert.deepEqual(listsOf(true, true, true), ['held', 'deleted'])
  assert.deepEqual(listsOf(false, false, true), ['deleted'])
})
