import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdCopying, listWritten, makeAnnouncementRoom, untilTexts } from '#test/scenes/announcements.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let server: TestServer
let author: Person
let reader: Person
let source: TestSpace
let target: TestSpace
let news: string

before(async () => {
  server = await startTestServer()
  author = await createPerson(server, 'author')
  reader = await createPerson(server, 'reader')
})
after(() => server.close())
beforeEach(async () => {
  source = await makeSpace(author, [reader])
  target = await makeSpace(reader)
  news = await makeAnnouncementRoom(author, source.id)
})

const write = async (content: string) => (await author.client.messages.create(news, { content })).id

/** Returns the messages with changes that wait to be copied, and their numbers. */
const listNoted = () =>
  server.deps.database.query<{ message_id: string; seq: number }>(sql`
    select message_id, seq from announcement_changes where room_id = ${news} order by seq`)

const countMarks = async (webhookId: string) => {
  const rows = await server.deps.database.query(
    sql`select from message_copies where webhook_id = ${webhookId}`,
  )
  return rows.length
}

test('FOLLOW-13: edits and deletions of messages from before the earliest follow are not noted, and none without a follow', async () => {
  const old = [await write('1'), await write('2'), await write('3')]
  const webhook = await reader.client.rooms.follow(news, target.general)
  await using held = await holdCopying(server, news)
  const fresh = await write('4')
  await author.client.messages.update(news, old[0] ?? '', { content: 'first' })
  await author.client.messages.delete(news, old[1] ?? '')
  await author.client.messages.bulkDelete(news, [old[0] ?? '', old[2] ?? ''])
  await author.client.messages.update(news, fresh, { content: 'fourth' })
  assert.deepEqual(
    (await listNoted()).map(({ message_id }) => message_id),
    [fresh],
  )
  await held.release()
  await untilTexts(reader, target.general, ['fourth'])
  await until(async () => (await listNoted()).length === 0, 'a change is still noted')
  await reader.client.webhooks.delete(webhook.id)
  await using heldAgain = await holdCopying(server, news)
  await write('5')
  await author.client.messages.delete(news, fresh)
  assert.deepEqual(await listNoted(), [])
  await heldAgain.release()
})

test('FOLLOW-5: a message that is moved into a thread keeps its number among the changes', async () => {
  const starter = await write('starter')
  const thread = await startThread(author, news, { title: 'Tea', message_id: starter })
  await reader.client.rooms.follow(news, target.general)
  const moved = await author.client.messages.create(news, { content: 'moved' })
  await untilTexts(reader, target.general, ['moved'])
  await using held = await holdCopying(server, news)
  await author.client.api(ThreadRooms).move(thread.id, [moved.id])
  const noted = await listNoted()
  assert.deepEqual(noted, [{ message_id: moved.id, seq: moved.seq }])
  await held.release()
  await untilTexts(reader, target.general, [])
})

test('FOLLOW-7: the marks of copies are deleted after the webhook, and after its room', async () => {
  const other = await reader.client.rooms.create(target.id, { name: 'other', type: 1 })
  const [first, second] = [
    await reader.client.rooms.follow(news, target.general),
    await reader.client.rooms.follow(news, other.id),
  ]
  await write('one')
  await untilTexts(reader, target.general, ['one'])
  await untilTexts(reader, other.id, ['one'])
  await reader.client.webhooks.delete(first.id)
  await reader.client.rooms.delete(target.id, other.id)
  await until(async () => (await countMarks(first.id)) === 0, 'marks of a deleted webhook stay')
  await until(async () => (await countMarks(second.id)) === 0, 'marks of a deleted room stay')
  assert.equal((await listWritten(reader, target.general)).length, 1)
})
