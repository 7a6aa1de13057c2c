import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { archiveOf, refusalOf } from '#test/scenes/hostile-archives.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import {
  archivedMessage,
  archivedRoom,
  archivedSpace,
  entriesOf,
  importSpace,
  ROOM_ID,
  withManifest,
  zipOf,
} from '#test/scenes/space-archives.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { messagesName, threadMessagesName, threadsName } from './format.ts'

let server: TestServer
let ada: Person
let count = 0

before(async () => {
  server = await startOwnServer({ spaceImportMessages: 20 })
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
})

const idOf = (number: number) => `01900000-0000-7000-8000-0000000${String(number).padStart(5, '0')}`
const [ONE, TWO] = [idOf(1), idOf(2)]
const VOICE_ID = idOf(900)

const threadOf = (changes: object = {}) => ({
  id: ONE,
  room_id: ROOM_ID,
  title: 'Tea',
  quiet_minutes: 60,
  created_at: '2024-05-01T10:00:00.000Z',
  ...changes,
})
const said = (in_thread: unknown, changes: object = {}) => ({ ...archivedMessage(), in_thread, ...changes })
const linesOf = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const space = () => archivedSpace({ rooms: [archivedRoom(), archivedRoom({ id: VOICE_ID, type: 2 })] })

/** Returns the parts of an archive with threads. */
const partsOf = (threads: readonly object[], messages: readonly object[] = []): [string, string][] => [
  [threadsName(1), linesOf(threads)],
  ...(messages.length > 0 ? [[threadMessagesName(1), linesOf(messages)] satisfies [string, string]] : []),
]
const refused = async (threads: readonly object[], messages: readonly object[] = []) =>
  refusalOf(server, ada, await archiveOf(space(), [], partsOf(threads, messages)))

test('SPACE-IMPORT-5, TROOM-15: threads that could not be in the space are refused', async () => {
  const where = 'invalid_archive: threads/000001.ndjson, line 1'
  for (const changes of [{ room_id: idOf(404) }, { room_id: VOICE_ID }, { room_id: ONE }])
    assert.equal(
      await refused([threadOf(changes)]),
      `${where}: its room is no text room or forum of the space`,
      JSON.stringify(changes),
    )
  assert.match(await refused([threadOf(), threadOf()]), /line 2: its id is used twice$/)
  assert.match(await refused([threadOf({ id: ROOM_ID })]), /line 1: its id is used twice$/)
  assert.match(await refused([threadOf({ title: 'a\nb' })]), /its title has marks that do not fit/)
  const starter_message_id = idOf(700)
  const two = [threadOf({ starter_message_id }), threadOf({ id: TWO, starter_message_id })]
  assert.match(await refused(two), /it has two threads of one message/)
})

test('SPACE-IMPORT-5, TROOM-15: threads of another form are refused', async () => {
  const wrong = [
    ...[{ id: 'x' }, { id: 7 }, { id: null }, { room_id: null }],
    ...[
      { title: '' },
      { title: null },
      { title: 7 },
      { title: 'x'.repeat(101) },
      { title: 'x'.repeat(400_000) },
    ],
    ...[{ quiet_minutes: 61 }, { quiet_minutes: '60' }, { quiet_minutes: null }],
    ...[{ created_at: 'today' }, { is_closed: 'yes' }, { starter_message_id: 7 }],
  ]
  for (const changes of wrong)
    assert.match(
      await refused([threadOf(changes)]),
      /^invalid_archive: threads\/000001\.ndjson, line 1: /,
      JSON.stringify(changes).slice(0, 50),
    )
  assert.match(await refused([threadOf({ title: 'x'.repeat(600_000) })]), /^invalid_archive: threads/)
})

test('SPACE-IMPORT-5, TROOM-15: messages of unknown threads, out of order, and in two places are refused', async () => {
  const threads = [threadOf(), threadOf({ id: TWO })]
  const where = /^invalid_archive: thread-messages\/000001\.ndjson, line \d: /
  for (const wrong of [undefined, null, 7, 'x', [ONE]])
    assert.match(await refused(threads, [said(wrong)]), where)
  assert.match(await refused(threads, [said(idOf(404))]), /its thread is not in the archive$/)
  assert.match(await refused(threads, [said(ROOM_ID)]), /its thread is not in the archive$/)
  assert.match(await refused(threads, [said(TWO), said(ONE)]), /threads must be in the order of their ids$/)
  const [first, second] = [said(ONE), said(ONE)]
  assert.match(await refused(threads, [second, first]), /messages must be in the order of their ids$/)
  assert.match(await refused(threads, [first, first]), /messages must be in the order of their ids$/)
  const own: [string, string] = [messagesName(ONE, 1), linesOf([archivedMessage()])]
  const twice = await archiveOf(space(), [], [...partsOf(threads, [said(ONE)]), own])
  assert.match(await refusalOf(server, ada, twice), /its thread has files of its own$/)
})

test('SPACE-IMPORT-8: threads and their messages count against the bound of messages', async () => {
  const many = Array.from({ length: 21 }, (_, index) => threadOf({ id: idOf(index + 1) }))
  assert.match(await refused(many), /it has too many threads$/)
  const messages = Array.from({ length: 21 }, (_, index) => said(index < 11 ? ONE : TWO))
  assert.match(await refused([threadOf(), threadOf({ id: TWO })], messages), /more than the 20 messages/)
})

test('TROOM-15: an archive of version 2, whose threads have files of their own, still comes back', async () => {
  const parts: [string, string][] = [
    ...partsOf([threadOf(), threadOf({ id: TWO, title: 'Cake' })]),
    [messagesName(TWO, 1), linesOf([archivedMessage({ content: 'sweet' })])],
  ]
  const archive = await zipOf(withManifest(entriesOf(space(), [], parts), { version: 2 }))
  const { failure, space_id } = await importSpace(ada, archive)
  assert.equal(failure, null)
  const found = await ada.client.search.space(space_id ?? '', { query: 'sweet' })
  assert.equal(found.messages.length, 1)
})
