import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesAndOthers } from './names-and-others.ts'

test('any number of people fits in one sentence', () => {
  assert.equal(namesAndOthers(['You'], 1), 'You')
  assert.equal(namesAndOthers(['You', 'Mira'], 2), 'You and Mira')
  assert.equal(namesAndOthers(['You', 'Mira', 'Jonas'], 4), 'You, Mira, Jonas, and 1 other')
  assert.equal(namesAndOthers(['Mira'], 12), 'Mira and 11 others')
  assert.equal(namesAndOthers([], 2), '2 others')
})
