import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Retention } from '#src/erasure/retention.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { makeOlder } from '#test/scenes/aged-messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { readThread, startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

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

/** Counts what is left of a thread. */
async function remainsOf(threadId: string): Promise<number> {
  const [row] = await server.deps.database.query<{ count: number }>(sql`
    select (select count(*) from thread_rooms where id = ${threadId})
      + (select count(*) from thread_follows where thread_id = ${threadId})
      + (select count(*) from message_heads where channel_id = ${threadId})
      + (select count(*) from messages where channel_id = ${threadId})
      + (select count(*) from message_words where thread_id = ${threadId})
      + (select count(*) from reactions where channel_id = ${threadId})
      + (select count(*) from pins where channel_id = ${threadId})
      + (select count(*) from read_states where channel_id = ${threadId})
      + (select count(*) from search_marks where channel_id = ${threadId}) as count`)
  return Number(row?.count)
}

async function lively(roomId: string): Promise<string> {
  const { id } = await startThread(ada, roomId)
  const first = await eve.client.messages.create(id, { content: 'remarkable' })
  await ada.client.reactions.add({ channel: id, id: first.id }, '👍')
  await ada.client.pins.add(id, first.id)
  await ada.client.messages.ack(id, first.id)
  await server.deps.searchIndexer.caughtUp([{ tenantId: space.id, channelId: id }])
  return id
}

test('TROOM-11: nothing is left of a deleted thread', async () => {
  const id = await lively(space.general)
  assert.ok((await remainsOf(id)) >= 8)
  assert.equal((await ada.call('DELETE', `/api/threads/${id}`)).status, 204)
  await until(async () => (await remainsOf(id)) === 0, 'the sweep of the thread')
})

test('TROOM-11: the threads of a deleted room go with it', async () => {
  const room = await ada.client.rooms.create(space.id, { name: 'gone', type: 1 })
  const ids = [await lively(room.id), await lively(room.id)]
  await ada.client.rooms.delete(space.id, room.id)
  for (const id of ids) {
    assert.equal((await ada.call('GET', `/api/threads/${id}`)).status, 404)
    assert.equal((await ada.call('GET', `/api/rooms/${id}/messages`)).status, 404)
  }
  const areGone = async () => (await Promise.all(ids.map(remainsOf))).every((count) => count === 0)
  await until(areGone, 'the sweep of the threads')
})

test('TROOM-12: a search of a room finds its threads, and one of a thread only that', async () => {
  const room = await ada.client.rooms.create(space.id, { name: 'searched', type: 1 })
  const [one, two] = [await startThread(ada, room.id), await startThread(ada, room.id)]
  await ada.client.messages.create(room.id, { content: 'teapot in the room' })
  await ada.client.messages.create(one.id, { content: 'teapot in one' })
  await ada.client.messages.create(two.id, { content: 'teapot in two' })
  const found = async (query: object) => {
    const { messages } = await eve.client.search.space(space.id, { query: 'teapot', ...query })
    return messages.map(({ content }) => content)
  }
  const all = ['teapot in two', 'teapot in one', 'teapot in the room']
  assert.deepEqual(await found({}), all)
  assert.deepEqual(await found({ room_id: [room.id] }), all)
  assert.deepEqual(await found({ room_id: [one.id] }), ['teapot in one'])
  assert.deepEqual(await found({ room_id: [space.general] }), [])
  const { messages } = await eve.client.search.space(space.id, { query: 'teapot', room_id: [one.id] })
  assert.deepEqual([messages[0]?.room_id, messages[0]?.parent_room_id], [one.id, room.id])
  assert.deepEqual(messages, await eve.client.messages.list(one.id))
  const outsider = await createPerson(server, 'mallory')
  const answer = await outsider.call(
    'GET',
    `/api/spaces/${space.id}/messages/search?query=teapot&room_id=${one.id}`,
  )
  assert.equal(answer.code, 'not_a_member')
  const elsewhere = await makeSpace(outsider)
  const path = `/api/spaces/${elsewhere.id}/messages/search?query=teapot&room_id=${one.id}`
  assert.equal((await outsider.call('GET', path)).code, 'unknown_room')
  await ada.client.messages.delete(one.id, messages[0]?.id ?? '')
  assert.deepEqual(await found({ room_id: [one.id] }), [])
})

test('TROOM-13: a message in a thread also appears in the room if its author asks for that, once', async () => {
  const room = await ada.client.rooms.create(space.id, { name: 'shown', type: 1 })
  const thread = await startThread(ada, room.id)
  const body = { content: 'for all', also_to_room: true, nonce: 'once' }
  const sent = await eve.client.messages.create(thread.id, body)
  assert.equal((await eve.client.messages.create(thread.id, body)).id, sent.id)
  await eve.client.messages.create(thread.id, { content: 'here only', also_to_room: false })
  const [shown, ...others] = await ada.client.messages.list(room.id)
  assert.deepEqual([shown?.snapshot?.content, others], ['for all', []])
  assert.deepEqual(shown?.reference, {
    ...{ type: 1, message_id: sent.id, room_id: thread.id, parent_room_id: room.id },
    ...{ conversation_id: null, space_id: space.id },
  })
  const answer = await eve.call('POST', `/api/rooms/${room.id}/messages`, {
    content: 'x',
    also_to_room: true,
  })
  assert.equal(answer.code, 'not_a_thread')
})

test('TROOM-14: a room keeps the messages of its threads as long as its own', async () => {
  const room = await ada.client.rooms.create(space.id, { name: 'forgetful', type: 1 })
  const thread = await startThread(ada, room.id)
  const { id } = await ada.client.messages.create(thread.id, { content: 'old' })
  await makeOlder(server, { id: space.id, general: thread.id }, id, 100)
  await ada.client.messages.create(thread.id, { content: 'young' })
  await ada.client.rooms.update(space.id, room.id, { retention_days: 30 })
  const texts = async () => (await ada.client.messages.list(thread.id)).map(({ content }) => content)
  assert.deepEqual(await texts(), ['young', 'old'])
  while ((await new Retention(server.deps).run()) !== undefined);
  assert.deepEqual(await texts(), ['young'])
  assert.equal((await readThread(ada, thread.id)).message_count, 1)
})
