import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MessageType } from '@foyer/protocol/messages'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { sql } from '#src/kernel/sql/sql.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { connectForThreads, fillThread, readThread, startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let server: TestServer
let ada: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada, [])
})
after(() => server.close())

const fill = (threadId: string, type: number, count: number) =>
  fillThread(server, { space, threadId, author: ada }, { type, count })

const mergesIn = async () =>
  (await ada.client.auditLog.list(space.id, { action: 'thread_merge' })).entries.map(({ after }) => after)

test('TROOM-18: a merge moves the messages behind any number of notices', async () => {
  const [from, into] = [await startThread(ada, space.general), await startThread(ada, space.general)]
  await fill(from.id, MessageType.PinNotice, 101)
  const sent = await ada.client.messages.create(from.id, { content: 'behind' })
  await ada.client.api(ThreadRooms).merge(from.id, into.id)
  const [moved] = await ada.client.messages.list(into.id)
  assert.deepEqual([moved?.id, moved?.content], [sent.id, 'behind'])
  assert.deepEqual((await mergesIn())[0], { into_id: into.id, count: 1 })
})

test('TROOM-18: a thread with too many messages is not merged, not even in part', async () => {
  const [from, into] = [await startThread(ada, space.general), await startThread(ada, space.general)]
  await fill(from.id, MessageType.Default, 10_001)
  const logged = await mergesIn()
  const answer = await ada.call('POST', `/api/threads/${from.id}/merge`, { into: into.id })
  assert.equal(answer.code, 'not_movable')
  assert.equal((await readThread(ada, from.id)).last_seq, 10_001)
  assert.deepEqual(await ada.client.messages.list(into.id), [])
  assert.deepEqual(await mergesIn(), logged)
})

test('TROOM-17: messages that are not searchable yet are moved out of another thread', async () => {
  const [from, into] = [await startThread(ada, space.general), await startThread(ada, space.general)]
  const { id } = await ada.client.messages.create(from.id, { content: 'new' })
  await server.deps.database.query(
    sql`delete from message_words where tenant_id = ${space.id} and id = ${id}`,
  )
  await ada.client.api(ThreadRooms).move(into.id, [id])
  assert.deepEqual(
    (await ada.client.messages.list(into.id)).map((message) => message.id),
    [id],
  )
})

test('TROOM-17: moving and merging between threads wait for no sender in their room', async () => {
  const [from, into] = [await startThread(ada, space.general), await startThread(ada, space.general)]
  const { id } = await ada.client.messages.create(from.id, { content: 'one' })
  await ada.client.messages.create(from.id, { content: 'two' })
  const { database } = server.deps
  await database.transaction(async (transaction) => {
    await transaction.query(sql`
      select from message_heads where tenant_id = ${space.id} and channel_id = ${space.general} for update`)
    await ada.client.api(ThreadRooms).move(into.id, [id])
    await ada.client.api(ThreadRooms).merge(from.id, into.id)
  })
  assert.equal((await readThread(ada, into.id)).message_count, 2)
})

test('TROOM-18: followers who come along are told, and have only the moved messages unread', async () => {
  const eve = await createPerson(server, 'eve')
  await join(eve, ada, space)
  const [from, into] = [await startThread(ada, space.general), await startThread(ada, space.general)]
  for (const content of ['one', 'two']) await ada.client.messages.create(into.id, { content })
  await eve.call('PUT', `/api/threads/${from.id}/follow`, { level: 'mentions' })
  await ada.client.messages.create(from.id, { content: 'three' })
  const listener = await connectForThreads(server, eve)
  await ada.client.api(ThreadRooms).merge(from.id, into.id)
  await until(async () => listener.heard('THREAD_FOLLOW_UPDATE').length > 0, 'the follower was never told')
  await listener.settle()
  listener.close()
  const own = { follow: 'mentions', read_seq: 2, unread_count: 1, mention_count: 0 }
  assert.deepEqual(
    listener.heard('THREAD_FOLLOW_UPDATE').map(({ d }) => d),
    [{ thread_id: into.id, ...own }],
  )
  const { threads } = await eve.client.api(ThreadRooms).listFollowed({ unread: true })
  assert.deepEqual(
    threads.map((thread) => [thread.id, thread.own]),
    [[into.id, own]],
  )
  assert.deepEqual(
    listener.heard('THREAD_DELETE').map(({ d }) => d),
    [{ id: from.id, room_id: space.general, space_id: space.id, merged_into: into.id }],
  )
})
