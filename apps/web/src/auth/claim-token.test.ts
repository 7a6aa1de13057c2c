import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimTokenOf } from './claim-token.ts'

test('OPERATOR-21: the token is the fragment of the link', () => {
  assert.equal(claimTokenOf('#tP-0_z9'), 'tP-0_z9')
  for (const fragment of ['', '#', '#two words', `#${'x'.repeat(513)}`])
    assert.equal(claimTokenOf(fragment), null, fragment)
})
