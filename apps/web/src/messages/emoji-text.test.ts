import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isJumbo, splitEmojis, spoken } from './emoji-text.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'
const WAVE = `<:wave:${ID}>`

test("a space's emojis are found by their id, and everything else stays text", () => {
  const found = (text: string) => splitEmojis(text).flatMap(({ emoji }) => emoji ?? [])
  assert.deepEqual(found(`hi ${WAVE}${WAVE}!`), [
    { name: 'wave', id: ID },
    { name: 'wave', id: ID },
  ])
  for (const text of ['<:wave:1>', `<wave:${ID}>`, `<:w:${ID}>`, `<:wave:${ID}`, `:wave:`, `<: wave:${ID}>`])
    assert.deepEqual(found(text), [], text)
})

test('splitting loses nothing of the text', () => {
  for (const text of ['', 'a', WAVE, ` ${WAVE} x ${WAVE}`, `<${WAVE}>`])
    assert.equal(
      splitEmojis(text)
        .map((piece) => piece.text)
        .join(''),
      text,
    )
})

test('emojis alone are shown large, as long as they are few', () => {
  for (const text of [WAVE, `${WAVE} ${WAVE}`, '🎉', `👩🏽‍🚀 ${WAVE}\n🇨🇭`]) assert.ok(isJumbo(text), text)
  for (const text of ['', ' ', 'hi', `hi ${WAVE}`, '1', '🎉!', WAVE.repeat(28)])
    assert.ok(!isJumbo(text), text)
})

test('an emoji is read out by its name', () => {
  assert.equal(spoken(`hi ${WAVE}`), 'hi :wave:')
})
