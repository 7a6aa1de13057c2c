import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClosed, type Suggestion, spelledOut } from './suggestions.ts'

function person(key: string, name: string, username: string): Suggestion {
  return { kind: 'user', key, text: `@${name}`, token: `<@${key}>`, label: name, detail: username }
}

const people = [
  person('1', 'Mira', 'mira.l'),
  person('2', 'Alex', 'alex'),
  person('3', 'Alex', 'alexander'),
  person('4', 'Jonas Weber', 'jonas'),
]

test('a fully typed name matches the displayed name or the username', () => {
  const spelled = (query: string) => spelledOut(people, query)?.key
  assert.equal(spelled('mira'), '1')
  assert.equal(spelled('mira.l'), '1')
  assert.equal(spelled('Jonas'), '4')
  assert.equal(spelled('alexander'), '3')
  assert.equal(spelled('mir'), undefined)
  assert.equal(spelled(''), undefined)
})

test('an emoji is matched once its closing colon is typed', () => {
  const joy: Suggestion = { kind: 'emoji', key: '😂', text: '😂', token: null, label: 'joy', detail: '' }
  assert.deepEqual([isClosed('joy'), isClosed('joy:')], [false, true])
  assert.equal(spelledOut([joy], 'joy'), null)
  assert.equal(spelledOut([joy], 'joy:')?.text, '😂')
  assert.equal(spelledOut([], 'nothing:'), null)
})

test('an ambiguous name matches nobody until one is chosen', () => {
  assert.equal(spelledOut(people, 'alex'), null)
})
