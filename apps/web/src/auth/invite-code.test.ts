import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf } from './invite-code.ts'

test('an invite code is read from pasted text', () => {
  for (const pasted of [
    'xfwo9AC3zu',
    ' https://chat.example.org/invite/xfwo9AC3zu ',
    'http://[::1]:8080/invite/xfwo9AC3zu?from=mail',
    'https://chat.example.org/sign-up/xfwo9AC3zu',
  ])
    assert.equal(codeOf(pasted), 'xfwo9AC3zu')
  for (const pasted of ['', 'https://chat.example.org/', 'two words']) assert.equal(codeOf(pasted), null)
})
