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

test('what is folded up stays so, and comes down again', () => {
  const storage = storageOf(null)
  assert.deepEqual([...turnCategory(storage, 'a')], ['a'])
  assert.deepEqual([...turnCategory(storage, 'b')], ['a', 'b'])
  assert.deepEqual([...turnCategory(storage, 'a')], ['b'])
  assert.deepEqual([...collapsedCategories(storage)], ['b'])
})

test('what is not understood, or cannot be kept, folds nothing and breaks nothing', () => {
  for (const kept of ['{', '"a"', '{"a":1}', '[1,null]'])
    assert.deepEqual([...collapsedCategories(storageOf(kept))], [], kept)
  assert.deepEqual([...turnCategory(storageOf(null, true), 'a')], ['a'])
})
