import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetUnloaded } from './shown-starters.ts'

test('the ids of unloaded messages are forgotten once they are the majority', () => {
  const loaded = ['c', 'd'].map((id) => ({ id }))
  const asked = new Set(['a', 'b', 'c', 'd'])
  forgetUnloaded(asked, loaded)
  assert.deepEqual([...asked], ['a', 'b', 'c', 'd'])
  asked.add('e')
  forgetUnloaded(asked, loaded)
  assert.deepEqual([...asked], ['c', 'd'])
})
