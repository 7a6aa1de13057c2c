import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reactionKey } from './toggle-reaction.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'

test("an emoji of a space reacts by its id, and Unicode's as it is", () => {
  assert.equal(reactionKey(`<:wave:${ID}>`), ID)
  assert.equal(reactionKey('👍🏽'), '👍🏽')
})
