import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeOf, isLocalAddress } from './invite-link.ts'

test('an invite code is read from pasted text', () => {
  for (const pasted of [
    'xfwo9AC3zu',
    ' https://chat.example.org/invite/xfwo9AC3zu ',
    'http://[::1]:8080/invite/xfwo9AC3zu?from=mail',
  ])
    assert.equal(codeOf(pasted), 'xfwo9AC3zu')
  for (const pasted of ['', 'https://chat.example.org/', 'two words']) assert.equal(codeOf(pasted), null)
})

test('loopback hosts are recognized', () => {
  for (const host of ['localhost', 'foyer.localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
    assert.equal(isLocalAddress(host), true, host)
  for (const host of ['chat.example.org', '192.168.1.7', '127.0.0.1.example.org', 'localhost.example.org'])
    assert.equal(isLocalAddress(host), false, host)
})
