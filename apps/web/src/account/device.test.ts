import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceName, isHandheld } from './device.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const edge =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0'
const chrome =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

test('a browser gets its own name, not one of those it claims to be', () => {
  assert.equal(deviceName(firefox), 'Firefox on Windows')
  assert.equal(deviceName(edge), 'Edge on Windows')
  assert.equal(deviceName(chrome), 'Chrome on Android')
  assert.equal(deviceName(safari), 'Safari on iPhone')
})

test('an unknown User-Agent is shown unchanged', () => {
  assert.equal(deviceName('backup-script/1.2'), 'backup-script/1.2')
  assert.equal(deviceName('node'), 'Node.js')
  assert.equal(deviceName(' '), 'Unknown device')
})

test('phones and computers are distinguished', () => {
  assert.deepEqual([firefox, edge, chrome, safari].map(isHandheld), [false, false, true, true])
})
