import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pagesOf, withNextPage } from './pages.ts'

test('a list goes on while its last page is full', () => {
  const first = pagesOf(['ada', 'bob'], 2)
  assert.deepEqual(first, { items: ['ada', 'bob'], count: 1, isComplete: false })
  assert.equal(pagesOf(['ada'], 2).isComplete, true)
  assert.deepEqual(withNextPage(first, ['eve'], 2), {
    items: ['ada', 'bob', 'eve'],
    count: 2,
    isComplete: true,
  })
  assert.equal(withNextPage(first, ['eve', 'kim'], 2).isComplete, false)
})
