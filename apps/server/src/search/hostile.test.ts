import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada)
  for (const content of texts) await ada.client.messages.create(space.general, { content })
})
after(() => server.close())

const CARET = 'a'.concat('\u0301'.repeat(200), 'b')
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'.split('').join(' ')
const texts = [
  "Robert'); drop table messages; --",
  'foo:* & !bar | <-> (baz)',
  '100% \\ of_it',
  CARET,
  'x'.repeat(4000),
  LETTERS,
  '\u202eold\u202c new',
  'nothing else',
]

/** Values that no parameter may have. */
const invalid = [
  ['has', 'nonsense'],
  ['has', ''],
  ['has', 'Link'],
  ['author_id', 'x'],
  ['author_id', ''],
  ['author_id', '01a1fdda-792d-7000-a58e-3710ab83e98'],
  ['mentions', '1'],
  ['room_id', 'general'],
  ['cursor', 'x'],
  ['cursor', ''],
  ['pinned', 'yes'],
  ['pinned', ''],
  ['limit', '0'],
  ['limit', '51'],
  ['limit', '-1'],
  ['limit', '1.5'],
  ['limit', 'x'],
  ['limit', '18446744073709551616'],
  ['query', '\0'],
  ['query', 'y'.repeat(201)],
  ['query', '😀'.repeat(201)],
] as const

/** Returns the path of a search. A parameter may occur several times. */
function searchPath(parameters: readonly (readonly [string, string])[]): string {
  return `/api/spaces/${space.id}/messages/search?${new URLSearchParams(parameters.map(([name, value]) => [name, value]))}`
}

async function found(query: string): Promise<string[]> {
  const { messages } = await ada.client.search.space(space.id, { query })
  return messages.map(({ content }) => content)
}

async function codeOf(path: string): Promise<string> {
  const { status, code } = await ada.call('GET', path)
  return `${status} ${code ?? ''}`.trim()
}

test('SEARCH-15: syntax of SQL and of text search has no meaning', async () => {
  assert.deepEqual(await found("'); DROP table messages"), [texts[0]])
  assert.deepEqual(await found("'foo':* & !'bar' | (ba"), [texts[1]])
  assert.deepEqual(await found('foo & !nothing'), [])
  assert.deepEqual(await found('foo | nothing'), [])
  assert.deepEqual(await found('foo:A* bar:1'), [])
  assert.deepEqual(await found('100% \\\\ of_it'), [texts[2]])
  assert.deepEqual(await found('%'.repeat(100).concat('100')), [texts[2]])
  assert.deepEqual(await found('$1 {x} foo'), [])
})

test('SEARCH-15: long queries with many words or marks are searched for', async () => {
  assert.deepEqual(await found(CARET.slice(0, 200)), [LETTERS])
  assert.deepEqual(await found('ab\u0301'), [CARET])
  assert.deepEqual(await found('x'.repeat(200)), ['x'.repeat(4000)])
  assert.deepEqual(await found(`${'x'.repeat(199)}y`), [])
  const letters = Array.from({ length: 100 }, (_, index) => LETTERS[(index * 2) % LETTERS.length]).join(' ')
  assert.deepEqual(await found(letters), [LETTERS])
  const others = Array.from({ length: 100 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(' ')
  assert.deepEqual(await found(others), [])
  assert.deepEqual(await found('ﷺ'.repeat(200)), [])
  assert.deepEqual(await found('NEW \u202eold'), [texts[6]])
})

test('SEARCH-6: filters over their limits, and invalid values, are 400', async () => {
  const id = newId()
  const many = (name: string, value: string, count: number) =>
    searchPath(Array.from({ length: count }, () => [name, value] as const))
  assert.equal(await codeOf(many('author_id', id, 10)), '200')
  assert.equal(await codeOf(many('author_id', id, 11)), '400 invalid_request')
  assert.equal(await codeOf(many('mentions', id, 10)), '200')
  assert.equal(await codeOf(many('mentions', id, 11)), '400 invalid_request')
  assert.equal(await codeOf(many('room_id', space.general, 25)), '200')
  assert.equal(await codeOf(many('room_id', space.general, 26)), '400 invalid_request')
  assert.equal(await codeOf(many('has', 'link', 100)), '200')
  for (const [name, value] of invalid)
    assert.equal(
      await codeOf(
        searchPath([
          [name, value],
          ['has', 'link'],
        ]),
      ),
      '400 invalid_request',
      `${name}=${value}`,
    )
  assert.equal(await codeOf(searchPath([['query', '𐐀'.repeat(200)]])), '200')
  assert.equal(
    await codeOf(
      searchPath([
        ['query', 'a'],
        ['query', 'b'],
      ]),
    ),
    '400 invalid_request',
  )
  assert.equal(await codeOf(`${searchPath([['query', 'a']])}%ED%A0%80`), '200')
})

test('SEARCH-7: times are dates and times of ISO 8601, and anything else is 400', async () => {
  const { messages } = await ada.client.search.space(space.id, { room_id: [space.general], limit: 3 })
  const [, middle] = messages
  assert.ok(middle)
  const at = middle.created_at
  const shifted = new Date(Date.parse(at) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
  const count = async (query: { after?: string; before?: string }) =>
    (await ada.client.search.space(space.id, { ...query, limit: 50 })).messages
      .map(({ id }) => id)
      .includes(middle.id)
  for (const same of [at, shifted, at.replace('Z', ''), at.replace('T', ' ')]) {
    assert.equal(await count({ after: same }), false, same)
    assert.equal(await count({ before: same }), false, same)
  }
  assert.equal(await count({ before: at.replace('Z', '1Z') }), true)
  assert.equal(await count({ after: new Date(Date.parse(at) - 1).toISOString() }), true)
  assert.equal(await count({ after: at.slice(0, 10), before: '9999-12-31' }), true)
  for (const time of [
    '2026-02-28',
    '2024-02-29T23:59:60Z',
    '0000-01-01',
    '2026-11-21T10:00',
    '2026-11-21T10:00:00.123456789-0130',
    '2026-11-21T10:00:00 02:00',
  ])
    assert.equal(await codeOf(searchPath([['after', time]])), '200', time)
  for (const time of [
    '',
    'yesterday',
    '2026-02-29',
    '2026-13-01',
    '2026-11-21T24:00:00Z',
    '2026-11-21T10:60',
    '20261121',
    '1763719200',
    '2026-11-21T10:00:00+25:00',
    '2026-11-21x',
    "2026-11-21'",
    '-2026-11-21',
    'infinity',
    'now',
  ])
    assert.equal(await codeOf(searchPath([['before', time]])), '400 invalid_request', time)
})

test('SEARCH-8: pages follow one another by the cursor, whether a message is there or not', async () => {
  const all = await ada.client.search.space(space.id, { room_id: [space.general], limit: 50 })
  assert.deepEqual([all.messages.length, all.has_more, all.cursor], [texts.length, false, null])
  const ids: string[] = []
  let cursor: string | null | undefined
  do {
    const page = await ada.client.search.space(space.id, {
      room_id: [space.general],
      limit: 3,
      ...(cursor ? { cursor } : {}),
    })
    ids.push(...page.messages.map(({ id }) => id))
    assert.equal(page.has_more, page.cursor !== null)
    cursor = page.cursor
  } while (cursor !== null)
  assert.deepEqual(
    ids,
    all.messages.map(({ id }) => id),
  )
  const exact = await ada.client.search.space(space.id, { room_id: [space.general], limit: texts.length })
  assert.deepEqual([exact.has_more, exact.cursor], [false, null])
  const behind = async (place: string) =>
    (await ada.client.search.space(space.id, { room_id: [space.general], cursor: place, limit: 50 })).messages
      .length
  assert.equal(await behind(newId()), texts.length)
  assert.equal(await behind('ffffffff-ffff-ffff-ffff-ffffffffffff'), texts.length)
  assert.equal(await behind('00000000-0000-0000-0000-000000000000'), 0)
  assert.equal(await behind(space.id), 0)
})
