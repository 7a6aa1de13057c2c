import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdEmojis, partsOf } from './held-emojis.ts'
import { highlightWords } from './highlight-words.ts'
import { type Filter, toQuery, withFilter } from './search-filters.ts'
import { isInFilter, suggest, withoutLastWord } from './search-suggestions.ts'
import { withTypedFilters } from './typed-filters.ts'

const nameable = {
  people: [
    { id: 'u1', name: 'Mira Lindqvist', detail: 'mira' },
    { id: 'u2', name: 'Jonas', detail: 'jweber' },
  ],
  rooms: [
    { id: 'r1', name: 'general', detail: '' },
    { id: 'r2', name: 'questions', detail: '' },
  ],
  threads: [{ id: 'p1', name: 'Is the lake hut open?', detail: 'this post' }],
  tags: [
    { id: 't1', name: 'Huts', detail: 'questions' },
    { id: 't2', name: 'Snow and ice', detail: 'questions' },
    { id: 't3', name: 'Huts', detail: 'ideas' },
  ],
  hasForums: true,
}
const labels = (text: string, among = nameable) =>
  suggest(text, among, new Date(2026, 10, 21)).map(({ label }) => label)

test('the last word suggests filters, then their values', () => {
  assert.equal(labels('').length, 10)
  assert.deepEqual(labels('cake be'), ['before:'])
  assert.deepEqual(labels('cake from:'), ['Mira Lindqvist', 'Jonas'])
  assert.deepEqual(labels('from:mira lind'), ['Mira Lindqvist'])
  assert.deepEqual(labels('from:web'), ['Jonas'])
  assert.deepEqual(labels('in:#gen'), ['general'])
  assert.deepEqual(labels('has:s'), ['sound', 'sticker'])
  assert.deepEqual(labels('pinned:t'), ['yes'])
  assert.deepEqual(labels('before:yes'), ['2026-11-20'])
  assert.deepEqual(labels('after:2026-02-30'), [])
  assert.deepEqual(labels('', { ...nameable, rooms: [], tags: [], hasForums: false }), [
    'from:',
    'mentions:',
    'has:',
    'before:',
    'after:',
    'during:',
    'pinned:',
  ])
})

test('FORUM-20: tags are suggested by name, and the open post as a place', () => {
  assert.deepEqual(labels('tag:'), ['Huts', 'Snow and ice', 'Huts'])
  assert.deepEqual(labels('tag:sno'), ['Snow and ice'])
  assert.deepEqual(labels('solved:'), ['yes', 'no'])
  assert.deepEqual(labels('in:'), ['Is the lake hut open?', 'general', 'questions'])
  assert.deepEqual(labels('in:this'), ['Is the lake hut open?'])
})

test('the last of several filters is the one being typed', () => {
  assert.deepEqual(labels('in:general has:l'), ['link'])
  assert.equal(withoutLastWord('in:general has:l'), 'in:general ')
})

test('typed filters are recognized by every name of a user', () => {
  const typed = (text: string) => {
    const asked = withTypedFilters({ text, filters: [] }, nameable, new Date(2026, 10, 21))
    return [asked.text, ...asked.filters.map(({ kind, value }) => `${kind}=${value}`)]
  }
  assert.deepEqual(typed('from:mira cake'), ['cake', 'from=u1'])
  assert.deepEqual(typed('cake from: Mira Lindqvist and tea'), ['cake and tea', 'from=u1'])
  assert.deepEqual(typed('from:jon cake'), ['cake', 'from=u2'])
  assert.deepEqual(typed('mentions:@jweber in:#general has:link tea'), [
    'tea',
    'mentions=u2',
    'in=r1',
    'has=link',
  ])
  assert.deepEqual(typed('before:2026-11-20 pinned:true x'), ['x', 'before=2026-11-20', 'pinned=true'])
  assert.deepEqual(typed('during:yesterday'), ['', 'during=2026-11-20'])
  for (const words of ['from:nobody cake', 'https://a.test', 'note:mira', 'before:soon', 'cake in'])
    assert.deepEqual(typed(words), [words])
})

test('FORUM-20: typed tags and places are those of the open forum and post', () => {
  const typed = (text: string) => {
    const asked = withTypedFilters({ text, filters: [] }, nameable)
    return [asked.text, ...asked.filters.map(({ kind, value }) => `${kind}=${value}`)]
  }
  assert.deepEqual(typed('tag:huts solved:no key'), ['key', 'tag=t1', 'solved=false'])
  assert.deepEqual(typed('tag:Snow and ice key'), ['key', 'tag=t2'])
  assert.deepEqual(typed('in:this post key'), ['key', 'thread=p1'])
  assert.deepEqual(typed('in:Is the lake hut open? key'), ['key', 'thread=p1'])
  assert.deepEqual(typed('tag:nothing key'), ['tag:nothing key'])
  // Their forum has several.
  assert.deepEqual(typed('tag:questions key'), ['tag:questions key'])
})

test('FORUM-20: tags, answers and the post become query parameters', () => {
  const filters: Filter[] = [
    { kind: 'tag', value: 't1', label: 'Huts' },
    { kind: 'tag', value: 't2', label: 'Snow and ice' },
    { kind: 'solved', value: 'false', label: 'no' },
    { kind: 'thread', value: 'p1', label: 'Is the lake hut open?' },
  ]
  assert.deepEqual(toQuery({ text: '', filters }), { tag: ['t1', 't2'], solved: false, thread: 'p1' })
})

test('FORUM-20: a post and rooms replace each other, and a sixth tag the first', () => {
  const all = (filters: Filter[]) =>
    filters.reduce(withFilter, { text: '', filters: [] }).filters.map(({ value }) => value)
  const one = (kind: Filter['kind'], value: string): Filter => ({ kind, value, label: value })
  assert.deepEqual(all([one('in', 'a'), one('in', 'b'), one('has', 'link'), one('thread', 'p')]), [
    'link',
    'p',
  ])
  assert.deepEqual(all([one('thread', 'p'), one('thread', 'q'), one('in', 'a')]), ['a'])
  assert.deepEqual(all([one('solved', 'true'), one('solved', 'false')]), ['false'])
  assert.deepEqual(all(['1', '2', '3', '4', '5', '5', '6'].map((value) => one('tag', value))), [
    '2',
    '3',
    '4',
    '5',
    '6',
  ])
})

test('words that only look like filters stay words', () => {
  assert.deepEqual(
    [isInFilter('https://a.test'), isInFilter('cake has:'), isInFilter('cake')],
    [false, true, false],
  )
  assert.equal(withoutLastWord('cake from:mira lind'), 'cake ')
})

test('filters become query parameters, with local dates', () => {
  const filters: Filter[] = [
    { kind: 'from', value: 'u1', label: 'Mira' },
    { kind: 'from', value: 'u2', label: 'Jonas' },
    { kind: 'has', value: 'image', label: 'image' },
    { kind: 'pinned', value: 'false', label: 'no' },
    { kind: 'during', value: '2026-03-29', label: '2026-03-29' },
  ]
  const { after = '', before = '', ...query } = toQuery({ text: ' cake ', filters })
  assert.deepEqual(query, { query: 'cake', author_id: ['u1', 'u2'], has: ['image'], pinned: false })
  assert.equal(new Date(after).getTime(), new Date(2026, 2, 29).getTime() - 1)
  assert.equal(new Date(before).getTime(), new Date(2026, 2, 30).getTime())
})

test('a filter is added once, and replaces another date or pinned filter', () => {
  const start = { text: '', filters: [] }
  const from = (value: string): Filter => ({ kind: 'from', value, label: value })
  const before = (value: string): Filter => ({ kind: 'before', value, label: value })
  const asked = [from('a'), from('b'), from('a'), before('2026-01-01'), before('2026-01-02')].reduce(
    withFilter,
    start,
  )
  assert.deepEqual(
    asked.filters.map(({ value }) => value),
    ['b', 'a', '2026-01-02'],
  )
})

test('matches are highlighted: beginnings of words, regardless of case and accents', () => {
  const found = (text: string, query: string) =>
    highlightWords(text, query).flatMap((piece) => (piece.isFound ? piece.text : []))
  assert.deepEqual(found('Überraschung, ubergabe und Tauben', 'ÜBER'), ['Überraschung', 'ubergabe'])
  assert.deepEqual(found('a cat and a', 'a'), ['a', 'a'])
  const long = `${'word '.repeat(300)}needle ${'word '.repeat(300)}`
  const pieces = highlightWords(long, 'needle')
  assert.deepEqual([pieces[0]?.text, pieces.at(-1)?.text], ['…', '…'])
  assert.ok(pieces.some(({ isFound }) => isFound))
  assert.ok(pieces.reduce((sum, { text }) => sum + text.length, 0) < 410)
})

test('each custom emoji is one character, so that a text can be cut anywhere', () => {
  const [wave, moon] = ['01a1ffd1-4560-7002-8243-454afda941db', '01a1ffd1-4560-7002-8243-454afda941dc']
  const { text, emojis } = holdEmojis(`cake <:wave:${wave}> and\ue001 <:moon:${moon}>`)
  assert.equal(text.length, 'cake x and x'.length)
  const [before, found, after] = highlightWords(text, 'and').map((piece) => partsOf(piece.text, emojis))
  assert.deepEqual(before, ['cake ', { id: wave, name: 'wave' }, ' '])
  assert.deepEqual(found, ['and'])
  assert.deepEqual(after, [' ', { id: moon, name: 'moon' }])
})
