import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reactorsSentence } from './reactors-sentence.ts'

test('who reacted is told in one sentence, however many there are', () => {
  assert.equal(reactorsSentence(['You'], 1), 'You')
  assert.equal(reactorsSentence(['You', 'Mira'], 2), 'You and Mira')
  assert.equal(reactorsSentence(['You', 'Mira', 'Jonas'], 4), 'You, Mira, Jonas, and 1 other')
  assert.equal(reactorsSentence(['Mira'], 12), 'Mira and 11 others')
})
