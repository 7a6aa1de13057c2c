import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Sealer } from './sealing.ts'

const sealer = new Sealer('k'.repeat(32))
const SECRET = 'wJalrXUtnFEMI/K7MDENG'

test('BUCKET-12: a sealed secret opens to the same text, and does not contain it', () => {
  const sealed = sealer.seal(SECRET, 'one')
  assert.equal(sealer.open(sealed, 'one'), SECRET)
  assert.ok(!sealed.includes(SECRET))
  assert.ok(!sealed.toString('base64').includes(Buffer.from(SECRET).toString('base64').slice(0, 12)))
})

test('BUCKET-12: the same secret is sealed differently each time', () => {
  assert.notDeepEqual(sealer.seal(SECRET, 'one'), sealer.seal(SECRET, 'one'))
})

test('BUCKET-12: a secret that was sealed for another bucket or with another key, or was changed, does not open', () => {
  const sealed = sealer.seal(SECRET, 'one')
  assert.throws(() => sealer.open(sealed, 'two'))
  assert.throws(() => new Sealer('l'.repeat(32)).open(sealed, 'one'))
  for (const at of [0, 12, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    assert.throws(() => sealer.open(changed, 'one'))
  }
  for (const length of [0, 11, 27]) assert.throws(() => sealer.open(sealed.subarray(0, length), 'one'))
})
