import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLocalAddress } from './invite-link.ts'

test('loopback hosts are recognized', () => {
  for (const host of ['localhost', 'foyer.localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
    assert.equal(isLocalAddress(host), true, host)
  for (const host of ['chat.example.org', '192.168.1.7', '127.0.0.1.example.org', 'localhost.example.org'])
    assert.equal(isLocalAddress(host), false, host)
})
