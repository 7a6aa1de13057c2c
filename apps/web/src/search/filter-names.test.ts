import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import german from '#src/language/de.json' with { type: 'json' }
import { speak } from '#src/language/texts.ts'
import { wordsOfFilter } from './filter-names.ts'
import { filterKinds } from './search-filters.ts'
import { dayFilterStart, isInFilter, personSought, suggest, withoutLastWord } from './search-suggestions.ts'

before(() => speak('de', german))
after(() => speak('en', {}))

const nameable = {
  people: [{ id: 'u1', name: 'Mira Lindqvist', detail: 'mira' }],
  rooms: [{ id: 'r1', name: 'allgemein', detail: '' }],
  threads: [],
  tags: [{ id: 't1', name: 'Hütten', detail: 'fragen' }],
  hasForums: true,
}
const found = (text: string) => suggest(text, nameable, new Date(2026, 10, 21))
const labels = (text: string) => found(text).map(({ label }) => label)
const values = (text: string) => found(text).flatMap((one) => ('filter' in one ? one.filter.value : []))

test('filters are suggested by their names in the language of the user, each a single word', () => {
  const offered = labels('')
  assert.deepEqual(offered, [
    'von:',
    'erwähnt:',
    'in:',
    'hat:',
    'tag:',
    'gelöst:',
    'vor:',
    'nach:',
    'am:',
    'angeheftet:',
  ])
  assert.ok(offered.every((label) => /^\p{L}+:$/u.test(label)))
  assert.deepEqual(labels('Kuchen erw'), ['erwähnt:'])
  assert.deepEqual(labels('hat:b'), ['Bild'])
  assert.deepEqual(labels('angeheftet:'), ['ja', 'nein'])
})

test('English filters work in every language', () => {
  assert.deepEqual(labels('Kuchen fro'), ['von:'])
  assert.deepEqual(values('from:mira lind'), ['u1'])
  assert.deepEqual(values('von:mira lind'), ['u1'])
  assert.deepEqual([values('hat:image'), values('has:bild')], [['image'], ['image']])
  assert.deepEqual([values('pinned:true'), values('angeheftet:j')], [['true'], ['true']])
  assert.deepEqual([values('gelöst:n'), values('solved:nein')], [['false'], ['false']])
  assert.deepEqual(values('tag:hüt'), ['t1'])
  assert.deepEqual([values('vor:gest'), values('before:yester')], [['2026-11-20'], ['2026-11-20']])
  assert.deepEqual(values('nach:vor einer Woche'), ['2026-11-14'])
})

test('a filter is recognized by either of its names while typing', () => {
  for (const text of ['Kuchen ERWÄHNT:mi', 'Kuchen mentions:mi']) {
    assert.equal(isInFilter(text), true)
    assert.equal(personSought(text), 'mi')
    assert.equal(withoutLastWord(text), 'Kuchen ')
  }
  assert.deepEqual(['am:2026', 'x during:', 'von:', 'vor:ein Tag'].map(dayFilterStart), [
    'am:',
    'during:',
    null,
    null,
  ])
})

test('a filter stored in another language is shown in this one', () => {
  assert.deepEqual(wordsOfFilter({ kind: 'has', value: 'image', label: 'image' }), {
    kind: 'hat',
    label: 'Bild',
  })
  assert.deepEqual(wordsOfFilter({ kind: 'from', value: 'u1', label: 'Mira' }), {
    kind: 'von',
    label: 'Mira',
  })
})

test('no two filters share a name', () => {
  const all = filterKinds.flatMap((kind) => [
    ...new Set([kind, wordsOfFilter({ kind, value: '', label: '' }).kind]),
  ])
  assert.equal(new Set(all).size, all.length)
})
