import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLimit, writeLimit } from './byte-limit.ts'

const GIB = 1024 ** 3

test('a limit is read in its unit', () => {
  assert.equal(readLimit({ amount: '5', unit: 'GB' }), 5 * GIB)
  assert.equal(readLimit({ amount: ' 1.5 ', unit: 'MB' }), 1.5 * 1024 * 1024)
  assert.equal(readLimit({ amount: '0,5', unit: 'TB' }), 512 * GIB)
})

test('empty means no limit', () => {
  assert.equal(readLimit({ amount: '  ', unit: 'GB' }), null)
})

test('only positive numbers are valid', () => {
  for (const amount of ['0', '-1', 'ten', '1e3', '1.', '0x10', '0.0000001', '9'.repeat(20)])
    assert.equal(readLimit({ amount, unit: 'MB' }), undefined, amount)
})

test('a limit is formatted in the largest exact unit, and parses to the same bytes', () => {
  assert.deepEqual(writeLimit(5 * GIB), { amount: '5', unit: 'GB' })
  assert.deepEqual(writeLimit(1536 * GIB), { amount: '1.5', unit: 'TB' })
  assert.deepEqual(writeLimit(null), { amount: '', unit: 'GB' })
  for (const bytes of [1, 1000, 123_456_789, 5 * GIB, 2 ** 50 + 2 ** 20])
    assert.equal(readLimit(writeLimit(bytes)), bytes)
})
