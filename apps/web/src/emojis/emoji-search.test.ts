import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Emoji, loadEmojiGroups } from './emoji-data.ts'
import { findNamed, searchEmojis, searchNames } from './emoji-search.ts'

let emojis: Emoji[]

before(async () => {
  emojis = (await loadEmojiGroups()).flatMap((group) => group.emojis)
})

test('the search matches prefixes of label words, in any case and order', () => {
  for (const query of ['waving hand', 'Hand wav', '  WAVING ']) assert.equal(first(query), 'waving hand')
})

test('matches of tags come after matches of labels', () => {
  const found = searchEmojis(emojis, 'pizza').map(({ label }) => label)
  assert.equal(found[0], 'pizza')
  assert.ok(searchEmojis(emojis, 'bye').some(({ label }) => label === 'waving hand'))
  const ranked = searchEmojis(emojis, 'dog').map(({ label }) => label)
  assert.equal(ranked[0], 'dog')
  assert.ok(ranked.indexOf('hot dog') < ranked.indexOf('bone'))
})

test('among equal matches the shorter label comes first', () => {
  assert.equal(first('cat'), 'cat')
  const hearts = searchEmojis(emojis, 'heart').map(({ label }) => label)
  assert.ok(hearts.indexOf('red heart') < hearts.indexOf('smiling face with heart-eyes'))
})

test('an exact shortcode comes before labels with that word', () => {
  for (const [name, label] of [
    ['heart', 'red heart'],
    ['thumbsup', 'thumbs up'],
    ['joy', 'face with tears of joy'],
    ['+1', 'thumbs up'],
    ['white check mark', 'check mark button'],
  ] as const)
    assert.equal(first(name), label)
  assert.ok(searchEmojis(emojis, 'thumbsu').some(({ label }) => label === 'thumbs up'))
  assert.equal(findNamed(emojis, 'Thumbsup')?.label, 'thumbs up')
  assert.equal(findNamed(emojis, 'thumbsu'), undefined)
})

test('every word of the query counts, and accents do not', () => {
  assert.deepEqual(searchEmojis(emojis, 'waving xyz'), [])
  assert.equal(first('flag reunion'), 'flag: Réunion')
})

test('an empty query finds nothing', () => {
  assert.deepEqual(searchEmojis(emojis, ' ,. '), [])
})

test('custom emojis match any part of their name, prefixes first', () => {
  const images = [{ name: 'sad_cat' }, { name: 'dog' }, { name: 'Cat_wave' }]
  assert.deepEqual(searchNames(images, 'cat'), [{ name: 'Cat_wave' }, { name: 'sad_cat' }])
  assert.deepEqual(searchNames(images, 'cat wave'), [{ name: 'Cat_wave' }])
})

function first(query: string): string | undefined {
  return searchEmojis(emojis, query)[0]?.label
}
