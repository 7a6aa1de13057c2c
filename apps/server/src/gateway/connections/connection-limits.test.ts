import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_ADDRESS_CONNECTIONS, MAX_ADDRESS_UPGRADES } from '@foyer/protocol/limits'
import { createLog } from '#src/kernel/log.ts'
import { ConnectionLimits } from './connection-limits.ts'

function makeLimits() {
  const lines: string[] = []
  return { limits: new ConnectionLimits(createLog('warn', { write: (line) => lines.push(line) })), lines }
}

function open(limits: ConnectionLimits, address: string, count: number): void {
  for (let number = 0; number < count; number += 1) {
    limits.opened(address)
    limits.entered(address)
  }
}

test('ADMISSION-4: tunnel addresses, which strangers can choose, are not private', () => {
  const { limits } = makeLimits()
  for (const address of ['2002:808:808::1', '2001:0:808::1', '64:ff9b::808:808']) {
    open(limits, address, MAX_ADDRESS_CONNECTIONS)
    assert.ok(Number(limits.refuse(address, 0)) >= 1, address)
  }
})

test('ADMISSION-4: a public address may have only so many connections, and a private one any number', () => {
  const { limits, lines } = makeLimits()
  for (const address of ['8.8.8.8', '127.0.0.1', '10.1.2.3', '::ffff:192.168.0.1', 'fd00::1', '100.64.0.1'])
    open(limits, address, MAX_ADDRESS_CONNECTIONS)
  assert.ok(Number(limits.refuse('8.8.8.8', 0)) >= 1)
  assert.ok(Number(limits.refuse('::ffff:8.8.8.8', 0)) >= 1)
  assert.equal(limits.refuse('8.8.4.4', 0), undefined)
  assert.equal(lines.length, 0)
  for (const near of ['127.0.0.1', '10.1.2.3', '192.168.0.1', 'fd00::1', '100.64.0.1', '10.1.2.3'])
    assert.equal(limits.refuse(near, 0), undefined, near)
  assert.equal(lines.length, 5)
  assert.match(lines.join(), /TRUSTED_PROXIES/)
  limits.closed('8.8.8.8')
  assert.equal(limits.refuse('8.8.8.8', 0), undefined)
})

test('ADMISSION-4: an address may have only so many upgrades a minute', () => {
  const { limits } = makeLimits()
  for (let number = 0; number < MAX_ADDRESS_UPGRADES; number += 1)
    assert.equal(limits.refuse('2a00:1450::1', 0), undefined)
  assert.ok(Number(limits.refuse('2a00:1450::2', 59_000)) <= 11)
  assert.equal(limits.refuse('2a00:1450:0:1::1', 59_000), undefined)
  assert.equal(limits.refuse('2a00:1450::2', 60_001), undefined)
})
