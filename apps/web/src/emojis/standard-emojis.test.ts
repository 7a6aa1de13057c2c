import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type EmojiNames, loadEmojiNames, withStandardEmojis } from './standard-emojis.ts'

const WAVE = '<:wave:0198c0de-0000-7000-8000-000000000001>'
let names: EmojiNames

before(async () => {
  names = await loadEmojiNames()
})

test('shortcodes become emojis, also adjacent ones and in any case', () => {
  for (const [written, sent] of [
    [':smile:', '😄'],
    ['(:smile::Heart:)', '(😄❤️)'],
    ['yes :+1: and :100:, :nobody: :smile:!', 'yes 👍️ and 💯, :nobody: 😄!'],
    [':nobody:smile:', ':nobody:smile:'],
  ] as const)
    assert.equal(withStandardEmojis(written, names), sent)
})

test('shortcodes stay unchanged in code, URLs, custom emojis and words', () => {
  for (const text of [
    '`:smile:`',
    '```\n:smile:\n```',
    'https://example.org:8080/:x:',
    WAVE,
    'a:x:b 12:30:45 std::x::y',
    ':smile',
  ])
    assert.equal(withStandardEmojis(`${text} `, names), `${text} `)
  assert.equal(withStandardEmojis('`:x:` :x:', names), '`:x:` ❌️')
})
