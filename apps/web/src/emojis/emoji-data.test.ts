import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Emoji, type EmojiGroup, loadEmojiGroups, withTone } from './emoji-data.ts'

let groups: EmojiGroup[]

before(async () => {
  groups = await loadEmojiGroups()
})

test('all groups have emojis, without duplicates', () => {
  assert.equal(groups.length, 9)
  assert.deepEqual(
    groups.filter(({ emojis }) => emojis.length === 0),
    [],
  )
  const texts = groups.flatMap(({ emojis }) => emojis.map(({ text }) => text))
  assert.equal(new Set(texts).size, texts.length)
  assert.ok(texts.length > 1800, `${texts.length}`)
})

test('lone regional indicators and skin tones are left out', () => {
  const texts = groups.flatMap(({ emojis }) => emojis.map(({ text }) => text))
  assert.equal(texts.includes('\u{1f1e6}'), false)
  assert.equal(texts.includes('\u{1f3fb}'), false)
})

test('emojis of one or two people take a single tone', () => {
  assert.equal(withTone(find('waving hand'), 1), '👋🏻')
  assert.equal(withTone(find('waving hand'), 5), '👋🏿')
  assert.equal(withTone(find('handshake'), 3), '🤝🏽')
  assert.equal(withTone(find('kiss: woman, man'), 2), '👩🏼‍❤️‍💋‍👨🏼')
})

test('an emoji stays unchanged without a tone, or if it has no tones', () => {
  assert.equal(withTone(find('waving hand'), 0), '👋')
  assert.equal(withTone(find('grinning face'), 5), '😀')
})

test('emojis with skin tones have all five', () => {
  const counts = groups.flatMap(({ emojis }) => emojis.map(({ tones }) => tones.length))
  assert.deepEqual(
    [...new Set(counts)].sort((a, b) => a - b),
    [0, 5],
  )
})

function find(label: string): Emoji {
  const emoji = groups.flatMap(({ emojis }) => emojis).find((candidate) => candidate.label === label)
  assert.ok(emoji, label)
  return emoji
}
