import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planDownload } from './byte-ranges.ts'

const file = { etag: '"tag"', sizeBytes: 1000 }

function planFor(range: string, more: Record<string, string> = {}) {
  const { status, headers } = planDownload({ range, ...more }, file)
  return [status, headers['content-range'], headers['content-length']]
}

const whole = [200, undefined, '1000']

test('a single range is served', () => {
  assert.deepEqual(planFor('bytes=0-0'), [206, 'bytes 0-0/1000', '1'])
  assert.deepEqual(planFor('bytes=10-19'), [206, 'bytes 10-19/1000', '10'])
  assert.deepEqual(planFor('bytes=990-'), [206, 'bytes 990-999/1000', '10'])
  assert.deepEqual(planFor('bytes=0-'), [206, 'bytes 0-999/1000', '1000'])
  assert.deepEqual(planFor('bytes=-10'), [206, 'bytes 990-999/1000', '10'])
  assert.deepEqual(planFor('Bytes=10-19'), [206, 'bytes 10-19/1000', '10'])
})

test('a range past the end stops at the end', () => {
  assert.deepEqual(planFor('bytes=999-2000'), [206, 'bytes 999-999/1000', '1'])
  assert.deepEqual(planFor('bytes=-5000'), [206, 'bytes 0-999/1000', '1000'])
  assert.deepEqual(planFor(`bytes=5-${'9'.repeat(400)}`), [206, 'bytes 5-999/1000', '995'])
})

test('a range that begins past the end is 416 with the size', () => {
  const refusal = { code: 'range_not_satisfiable', headers: { 'content-range': 'bytes */1000' } }
  for (const range of ['bytes=1000-', 'bytes=1000-1001', 'bytes=-0', `bytes=${'9'.repeat(400)}-`])
    assert.throws(() => planFor(range), refusal, range)
  assert.throws(() => planDownload({ range: 'bytes=0-0' }, { ...file, sizeBytes: 0 }), { status: 416 })
})

test('several ranges and invalid ones get the whole file', () => {
  for (const range of ['bytes=0-1,5-6', 'bytes=5-4', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes=--1', ''])
    assert.deepEqual(planFor(range), whole, range)
})

test('a range of another version gets the whole file', () => {
  assert.deepEqual(planFor('bytes=0-0', { 'if-range': '"tag"' }), [206, 'bytes 0-0/1000', '1'])
  for (const version of ['"other"', 'W/"tag"', 'Sat, 21 Nov 2026 00:00:00 GMT'])
    assert.deepEqual(planFor('bytes=0-0', { 'if-range': version }), whole, version)
})

test('a client that has the file gets 304, whatever range it requests', () => {
  for (const known of ['"tag"', '"a", "tag"', 'W/"tag"', '*']) {
    const { status, headers } = planDownload({ 'if-none-match': known, range: 'bytes=5000-' }, file)
    assert.deepEqual([status, headers.etag, headers['content-length']], [304, '"tag"', undefined])
  }
  assert.equal(planDownload({ 'if-none-match': '"other"' }, file).status, 200)
})
