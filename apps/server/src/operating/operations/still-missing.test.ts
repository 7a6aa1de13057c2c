import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { lineOf, stillMissing } from './still-missing.ts'

const PRIVATE = ['127.0.0.1', '192.168.1.5', 'fe80::1%eth0', 'fd00::2']

function missing(environment: Record<string, string>, own = PRIVATE): string[] {
  return stillMissing(readConfig({ DATA_DIR: '/data', ...environment }), own).map(lineOf)
}

test('OPS-7: a public server says at its start what mail, push and voice still lack', () => {
  const PUBLIC_URL = 'https://chat.example.org'
  assert.deepEqual(missing({ PUBLIC_URL }), [
    'mail: SMTP_URL is not set: mails are saved as files in /data/mailbox → set SMTP_URL, so that people can confirm addresses and reset passwords',
    'voice: only private addresses are announced to clients: nobody outside this network can connect → set PUBLIC_IP to the public address of this network',
  ])
  const mail = { SMTP_URL: 'smtp://localhost' }
  assert.deepEqual(missing({ PUBLIC_URL, ...mail, PUBLIC_IP: '8.8.8.8' }), [])
  assert.deepEqual(missing({ PUBLIC_URL, ...mail }, [...PRIVATE, '2a00::1']), [])
  const [push, ...others] = missing({ PUBLIC_URL: 'http://chat.example.org', ...mail, PUBLIC_IP: '8.8.8.8' })
  assert.match(push ?? '', /^voice and push: .+ only over HTTPS → set PUBLIC_URL to an https address/)
  assert.deepEqual(others, [])
})

test('OPS-7: a server for this machine says nothing', () => {
  for (const url of ['', 'http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'])
    assert.deepEqual(missing({ PUBLIC_URL: url }), [])
})
