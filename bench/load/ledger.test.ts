import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ledger } from './ledger.ts'

test('nothing is missing once each listener has received each message', () => {
  const { ledger, listeners } = roomOfTwo()
  for (const listener of listeners) for (const seq of [1, 2]) listener(seq)
  assert.deepEqual([ledger.missing, ledger.outOfTurn], [0, 0])
  assert.ok(ledger.ackedSince(0).every(({ receivedByAllAt }) => receivedByAllAt !== undefined))
})

test('a missing delivery is reported', () => {
  const { ledger, listeners } = roomOfTwo()
  for (const listener of listeners) listener(1)
  listeners[0]?.(2)
  assert.deepEqual([ledger.missing, ledger.outOfTurn], [1, 0])
  assert.equal(ledger.ackedSince(0).filter(({ receivedByAllAt }) => receivedByAllAt === undefined).length, 1)
})

test('a duplicate delivery does not replace another listener’s', () => {
  const { ledger, listeners } = roomOfTwo()
  for (const seq of [1, 1, 2]) listeners[0]?.(seq)
  listeners[1]?.(1)
  assert.deepEqual([ledger.missing, ledger.outOfTurn], [0, 1])
})

function roomOfTwo() {
  const ledger = new Ledger(2)
  const listeners = [ledger.listener(), ledger.listener()]
  for (const seq of [1, 2]) ledger.acknowledge(seq, performance.now())
  return { ledger, listeners }
}
