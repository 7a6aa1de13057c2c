import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collapsedCategories, turnCategory } from './collapsed.ts'

function storageOf(kept: string | null, isFull = false) {
  return {
    getItem: () => kept,
    setItem: (_key: string, value: string) => {
      if (isFull) throw new Error('QuotaExceededError')
      kept = value
    },
  }
}

test('a collapsed category stays collapsed until it is expanded', () => {
  const storage = storageOf(null)
  assert.deepEqual([...turnCategory(storage, 'a')], ['a'])
  assert.deepEqual([...turnCategory(storage, 'b')], ['a', 'b'])
  assert.deepEqual([...turnCategory(storage, 'a')], ['b'])
  assert.deepEqual([...collapsedCategories(storage)], ['b'])
})

test('an invalid stored value or a full storage collapses nothing and does not throw', () => {
  for (const kept of ['{', '"a"', '{"a":1}', '[1,null]'])
    assert.deepEqual([...collapsedCategories(storageOf(kept))], [], kept)
  assert.deepEqual([...turnCategory(storageOf(null, true), 'a')], ['a'])
})
