import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromNames, toNames } from './emoji-names.ts'

const id = (digit: number) => `0198c0de-0000-7000-8000-00000000000${digit}`
const EMOJIS = [
  { name: 'wave', id: id(1) },
  { name: 'Party', id: id(2) },
]
const [WAVE, PARTY] = [`<:wave:${id(1)}>`, `<:Party:${id(2)}>`]

test('emojis are typed by name and sent by id', () => {
  for (const [written, sent] of [
    ['', ''],
    [':wave:', WAVE],
    ['hi:wave::Party:!', `hi${WAVE}${PARTY}!`],
    [':nobody:wave: a:b', `:nobody${WAVE} a:b`],
    [':wave:Party:', `${WAVE}Party:`],
    ['https://example.org:8080/:x:', 'https://example.org:8080/:x:'],
  ] as const) {
    assert.equal(fromNames(written, EMOJIS), sent)
    assert.equal(toNames(sent, EMOJIS), written)
  }
})

test('names match in any case, and show the current name of the emoji', () => {
  assert.equal(fromNames(':WAVE: :party:', EMOJIS), `${WAVE} ${PARTY}`)
  assert.equal(toNames(`<:hello:${id(1)}>`, EMOJIS), ':wave:')
})

test('emojis of other spaces, deleted ones and those sent by id stay unchanged', () => {
  for (const text of [`<:wave:${id(9)}>`, `<:other:${id(9)}>:x:`]) {
    assert.equal(toNames(text, EMOJIS), text)
    assert.equal(fromNames(text, EMOJIS), text)
  }
  assert.equal(fromNames(`${WAVE}:wave:`, EMOJIS), `${WAVE}${WAVE}`)
  assert.equal(fromNames(':wave:', []), ':wave:')
  assert.equal(fromNames('`:wave:` :wave:', EMOJIS), `\`:wave:\` ${WAVE}`)
})
