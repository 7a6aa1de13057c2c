import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { firstIdAt } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { listWrittenIn } from '#src/messages/authored-queries.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  space = await makeSpace(ada, [eve])
})
after(() => server.close())

const newRoom = async () => (await ada.client.rooms.create(space.id, { name: 'room', type: 1 })).id

test('TROOM-18: a merge moves every message, however many notices of pins stand before them', async () => {
  const room = await newRoom()
  const [from, into] = [await startThread(ada, room), await startThread(ada, room)]
  const { id } = await ada.client.messages.create(from.id, { content: 'pinned again and again' })
  for (let times = 0; times < 101; times += 1) {
    await ada.client.pins.add(from.id, id)
    await ada.client.pins.remove(from.id, id)
  }
  await ada.client.messages.create(from.id, { content: 'behind all notices' })
  await ada.client.api(ThreadRooms).merge(from.id, into.id)
  const texts = (await ada.client.messages.list(into.id)).map(({ content }) => content)
  assert.deepEqual(texts, ['behind all notices', 'pinned again and again'])
})

test('TROOM-4: slow mode of the room is one for it and all its threads', async () => {
  const room = await newRoom()
  const [one, other] = [await startThread(ada, room), await startThread(ada, room)]
  await ada.client.rooms.update(space.id, room, { slow_mode_seconds: 60 })
  const say = async (id: string) =>
    (await eve.call('POST', `/api/rooms/${id}/messages`, { content: 'hello' })).code
  assert.deepEqual(
    [await say(one.id), await say(other.id), await say(room)],
    [null, 'slow_mode', 'slow_mode'],
  )
})

test('TROOM-4: who joins a space reads its rooms from then on, and gets nothing for its threads', async () => {
  await startThread(ada, space.general)
  const kim = await createPerson(server, 'kim')
  await join(kim, ada, space)
  const states = await server.deps.database.query<{ channel_id: string }>(sql`
    select channel_id from read_states where user_id = ${kim.id} and tenant_id = ${space.id}`)
  const rooms = await ada.client.rooms.list(space.id)
  const ids = new Set(rooms.map(({ id }) => id))
  assert.ok(states.length > 0 && states.every(({ channel_id }) => ids.has(channel_id)))
})

test('TROOM-4: the messages of a newcomer are found in threads, too', async () => {
  const room = await newRoom()
  const thread = await startThread(ada, room)
  const spam = await createPerson(server, 'spam')
  await join(spam, ada, space)
  await spam.client.messages.create(thread.id, { content: 'buy' })
  const range = { userIds: [spam.id], after: firstIdAt(0) }
  assert.deepEqual(await listWrittenIn(server.deps.database, space.id, range), [thread.id])
})

test('TROOM-10: who leaves the space follows none of its threads any more', async () => {
  const thread = await startThread(ada, await newRoom())
  const kim = await createPerson(server, 'lea')
  await join(kim, ada, space)
  await kim.client.messages.create(thread.id, { content: 'hello' })
  await kim.client.members.leave(space.id)
  await join(kim, ada, space)
  assert.deepEqual((await kim.client.api(ThreadRooms).listFollowed()).threads, [])
})
