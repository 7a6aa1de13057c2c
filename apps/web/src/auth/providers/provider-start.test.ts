import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inviteIn, startAddress } from './provider-start.ts'

test('a provider begins with the page to open afterwards, unless it is too long', () => {
  assert.equal(startAddress('main', '/invite/a?b=c'), '/api/auth/oidc/main/start?next=%2Finvite%2Fa%3Fb%3Dc')
  assert.equal(startAddress('main', `/${'x'.repeat(512)}`), '/api/auth/oidc/main/start')
})

test('the invite is found in the page to open afterwards', () => {
  assert.equal(inviteIn('/invite/abc'), 'abc')
  assert.equal(inviteIn('/sign-up/a%20b?x'), 'a b')
  assert.deepEqual(['/', '/spaces/x', '/invite/', '/x/invite/a'].map(inviteIn), [
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
