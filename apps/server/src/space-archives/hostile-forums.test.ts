import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { archiveOf, refusalOf } from '#test/scenes/hostile-archives.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { archivedMessage, archivedRoom, archivedSpace, ROOM_ID } from '#test/scenes/space-archives.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { messagesName, threadsName } from './format.ts'

let server: TestServer
let ada: Person
let count = 0

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  ada = await createPerson(server, `ada${count}`)
})

const idOf = (number: number) => `01900000-0000-7000-8000-0000000${String(number).padStart(5, '0')}`
const FORUM_ID = idOf(800)
const [BUG, IDEA] = [idOf(801), idOf(802)]

const tagOf = (id: string, name: string) => ({ id, name, color: null, is_moderated: false })
const settingsOf = (changes: object = {}) => ({
  guidelines: null,
  template: null,
  tags: [tagOf(BUG, 'Bug')],
  requires_tag: false,
  sort: 'activity',
  layout: 'list',
  ...changes,
})
const forumRoom = (changes: object = {}) => ({
  ...archivedRoom({ id: FORUM_ID, type: 5 }),
  forum: settingsOf(),
  ...changes,
})

const refusedRooms = async (...rooms: object[]) =>
  refusalOf(server, ada, await archiveOf({ ...archivedSpace(), rooms: [archivedRoom(), ...rooms] }))
const refusedThread = async (changes: object) => {
  const thread = { id: idOf(1), room_id: FORUM_ID, title: 'Tea', quiet_minutes: 60, ...changes }
  const line = JSON.stringify({ ...thread, created_at: '2024-05-01T10:00:00.000Z' })
  const space = { ...archivedSpace(), rooms: [archivedRoom(), forumRoom()] }
  return refusalOf(server, ada, await archiveOf(space, [], [[threadsName(1), `${line}\n`]]))
}

test('FORUM-11: archives with forums that could not be are refused', async () => {
  const bad: [object[], RegExp][] = [
    [[forumRoom({ forum: undefined })], /has settings of a forum, or none, unlike its type/],
    [[forumRoom({ type: 1 })], /has settings of a forum, or none, unlike its type/],
    [
      [forumRoom({ forum: settingsOf({ tags: [tagOf(BUG, 'One'), tagOf(BUG, 'Two')] }) })],
      /tags have an id twice/,
    ],
    [[forumRoom(), forumRoom({ id: idOf(900) })], /tags have an id twice/],
    [
      [forumRoom({ forum: settingsOf({ tags: [tagOf(BUG, 'Bug'), tagOf(IDEA, 'bÚg')] }) })],
      /a forum has a tag twice/,
    ],
    [[forumRoom({ forum: settingsOf({ tags: [tagOf(BUG, 'a\nb')] }) })], /marks that do not fit/],
    [[forumRoom({ forum: settingsOf({ sort: 'random' }) })], /forum\.sort/],
    [[forumRoom({ forum: settingsOf({ guidelines: 'x'.repeat(4001) }) })], /forum\.guidelines/],
    [[forumRoom({ forum: null })], /forum/],
    [[forumRoom({ type: 6 })], /type/],
  ]
  for (const [rooms, complaint] of bad) assert.match(await refusedRooms(...rooms), complaint)
})

test('FORUM-11: archives with posts that could not be in their forum are refused', async () => {
  const bad: [object, RegExp][] = [
    [{ tags: [IDEA] }, /its forum has no such tag/],
    [{ tags: [BUG, BUG] }, /tags/],
    [{ tags: 'x' }, /tags/],
    [{ room_id: ROOM_ID, tags: [BUG] }, /only threads of forums have tags, pins, answers and openings/],
    [{ room_id: ROOM_ID, is_pinned: true }, /only threads of forums have tags, pins, answers and openings/],
    [
      { room_id: ROOM_ID, solved_message_id: idOf(3) },
      /only threads of forums have tags, pins, answers and openings/,
    ],
    [
      { room_id: ROOM_ID, opening_message_id: idOf(3) },
      /only threads of forums have tags, pins, answers and openings/,
    ],
    [{ solved_message_id: 7 }, /solved_message_id/],
    [{ opening_message_id: 7 }, /opening_message_id/],
  ]
  for (const [changes, complaint] of bad) assert.match(await refusedThread(changes), complaint)
})

test('FORUM-11: an archive with messages in a forum itself is refused', async () => {
  const space = { ...archivedSpace(), rooms: [archivedRoom(), forumRoom()] }
  const line = `${JSON.stringify(archivedMessage())}\n`
  const archive = await archiveOf(space, [], [[messagesName(FORUM_ID, 1), line]])
  assert.match(await refusalOf(server, ada, archive), /a forum has no messages of its own/)
})
