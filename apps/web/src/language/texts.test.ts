import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { counted, errorText, isolated, locale, speak, t } from './texts.ts'

afterEach(() => speak('en', {}))

test('without a catalogue the texts are English, with their values filled in', () => {
  assert.equal(t('Hello {name}, {name}!', { name: 'Mira' }), 'Hello Mira, Mira!')
  assert.equal(counted(1, '{count} member', '{count} members'), '1 member')
  assert.equal(counted(1200, '{count} member', '{count} members'), '1,200 members')
})

test('a catalogue translates what it has, with the plurals and numbers of its language', () => {
  speak('pl', {
    Cancel: 'Anuluj',
    '{count} members': {
      one: '{count} osoba',
      few: '{count} osoby',
      many: '{count} osób',
      other: '{count} osoby',
    },
  })
  assert.equal(t('Cancel'), 'Anuluj')
  assert.equal(t('Save'), 'Save')
  const members = (count: number) => counted(count, '{count} member', '{count} members')
  assert.deepEqual([1, 3, 5].map(members), ['1 osoba', '3 osoby', '5 osób'])
  assert.equal(locale(), 'pl')
})

test('user content is filled in unchanged', () => {
  assert.equal(t('From {name}', { name: '{name} $& <b>' }), 'From {name} $& <b>')
  assert.equal(t('From {nobody}'), 'From {nobody}')
})

test('server errors are translated by their code, if the catalogue has it', () => {
  assert.equal(errorText('name_taken', 'Name is taken.'), undefined)
  speak('de', { 'error.name_taken': 'Vergeben.', 'error.invalid_request': 'Nicht so: {message}' })
  assert.equal(errorText('name_taken', 'Name is taken.'), 'Vergeben.')
  assert.equal(errorText('invalid_request', 'Position is no number.'), 'Nicht so: Position is no number.')
  assert.equal(errorText('timeout', 'It took too long.'), undefined)
})

test('characters that change the text direction are isolated', () => {
  assert.equal(t('{name} is typing…', { name: 'abc\u202e' }), '\u2068abc\u202e\u2069 is typing…')
  assert.equal(t('{name} left', { name: '\u05d3\u05d5\u05d3\u2069' }), '\u2068\u05d3\u05d5\u05d3\u2069 left')
  assert.equal(t('{name} left', { name: 'Jonas' }), 'Jonas left')
  assert.equal(t('{name} left', { name: 'abc\u2067' }), '\u2068abc\u2067\u2069\u2069 left')
  const names = ['abc\u202e', 'Jonas'].map(isolated).join(' and ')
  assert.equal(t('{names} left', { names }), '\u2068\u2068abc\u202e\u2069 and Jonas\u2069 left')
})
