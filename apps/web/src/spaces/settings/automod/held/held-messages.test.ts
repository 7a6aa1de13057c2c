import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleHeld } from '../sample-rule.ts'
import { withoutHeld } from './held-messages.ts'

test('AUTOMOD-45: a decided message is removed, and the others stay in their order', () => {
  const messages = ['1', '2', '3'].map(sampleHeld)
  const ids = (decided: string) => withoutHeld(messages, decided).map(({ id }) => id)
  assert.deepEqual(ids('2'), ['1', '3'])
  assert.deepEqual(ids('other'), ['1', '2', '3'])
})
