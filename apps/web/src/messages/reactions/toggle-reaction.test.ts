import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reactionKey } from './toggle-reaction.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

test('a custom emoji reacts by its id, and a Unicode one in the server’s form', () => {
  assert.equal(reactionKey(`<:wave:${ID}>`), ID)
  assert.equal(reactionKey('👍🏽'), '👍🏽')
  assert.equal(reactionKey('\u2764'), '\u2764\uFE0F')
  assert.equal(reactionKey('👍\uFE0F'), '👍')
})
