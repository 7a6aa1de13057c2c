import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { newId } from '#src/kernel/ids.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { connectForThreads, readThread, startThread } from '#test/scenes/thread-rooms.ts'
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
const say = async (roomId: string, content: string) =>
  (await eve.client.messages.create(roomId, { content })).id
const textsIn = async (roomId: string) =>
  (await ada.client.messages.list(roomId)).map(({ content }) => content)
const threads = (person: Person) => person.client.api(ThreadRooms)

test('TROOM-17: moved messages keep their ids, and everything that belongs to them', async () => {
  const room = await newRoom()
  const thread = await startThread(ada, room)
  await say(thread.id, 'first')
  const one = await say(room, `one, <@${ada.id}>`)
  await say(room, 'stays')
  const two = (await eve.client.messages.create(room, { content: 'two', reference: { message_id: one } })).id
  await ada.client.reactions.add({ channel: room, id: one }, '👍')
  await ada.client.pins.add(room, one)
  const listener = await connectForThreads(server, eve)
  const moved = await threads(ada).move(thread.id, [two, one])
  assert.deepEqual([moved.message_count, moved.last_message_id, moved.last_seq], [3, two, 3])
  assert.deepEqual(await textsIn(thread.id), ['two', `one, <@${ada.id}>`, 'first'])
  assert.ok(!(await textsIn(room)).includes('two'))
  const again = await ada.client.messages.get(thread.id, one)
  assert.deepEqual(
    [again.pinned, again.reactions, again.room_id],
    [true, [{ emoji: '👍', count: 1, me: true }], thread.id],
  )
  assert.equal((await ada.client.messages.get(thread.id, two)).referenced_message?.id, one)
  assert.deepEqual(
    (await ada.client.pins.list(thread.id)).map(({ id }) => id),
    [one],
  )
  assert.deepEqual(await ada.client.pins.list(room), [])
  assert.equal((await readThread(ada, thread.id)).own.mention_count, 1)
  const { messages } = await ada.client.search.space(space.id, { query: 'two', room_id: [thread.id] })
  assert.deepEqual(
    messages.map(({ id }) => id),
    [two],
  )
  await listener.settle()
  const told = listener.frames.flatMap(({ t, d }) =>
    t === 'MESSAGE_CREATE' || t === 'MESSAGE_DELETE_BULK' ? [[t, Object(d).room_id]] : [],
  )
  assert.deepEqual(told.slice(-3), [
    ['MESSAGE_DELETE_BULK', room],
    ['MESSAGE_CREATE', thread.id],
    ['MESSAGE_CREATE', thread.id],
  ])
  const creations = listener.heard('MESSAGE_CREATE').filter(({ d }) => Object(d).room_id === thread.id)
  assert.deepEqual(
    creations.map(({ d }) => Object(d).is_moved),
    [true, true],
  )
  assert.ok(!('is_moved' in again))
  listener.close()
  const { entries } = await ada.client.auditLog.list(space.id, { action: 'thread_move' })
  assert.deepEqual([entries[0]?.target_id, entries[0]?.after], [thread.id, { count: 2, from_id: thread.id }])
})

test('TROOM-17: all messages are moved or none, and only by those with ManageThreads', async () => {
  const room = await newRoom()
  const thread = await startThread(eve, room)
  const one = await say(room, 'one')
  const elsewhere = await say(space.general, 'elsewhere')
  const move = async (person: Person, message_ids: unknown) =>
    (await person.call('POST', `/api/threads/${thread.id}/move`, { message_ids })).code
  assert.equal(await move(eve, [one]), 'missing_permission')
  assert.equal(await move(await createPerson(server, 'mallory'), [one]), 'not_a_member')
  for (const other of [newId(), elsewhere]) assert.equal(await move(ada, [one, other]), 'unknown_message')
  for (const wrong of [[], [one, one], ['x'], null, Array.from({ length: 101 }, () => newId())])
    assert.equal(await move(ada, wrong), 'invalid_request')
  assert.deepEqual(await textsIn(room), ['one'])
})

test('TROOM-17: edits, reactions and deletions while messages are moved lose nothing', async () => {
  const room = await newRoom()
  const thread = await startThread(ada, room)
  const ids: string[] = []
  for (let number = 0; number < 12; number += 1) ids.push(await say(room, `${number}`))
  const change = (id: string, index: number) =>
    index % 3 === 0
      ? eve.call('PATCH', `/api/rooms/${room}/messages/${id}`, { content: `edited ${index}` })
      : index % 3 === 1
        ? eve.call('PUT', `/api/rooms/${room}/messages/${id}/reactions/%F0%9F%91%8D`)
        : eve.call('DELETE', `/api/rooms/${room}/messages/${id}`)
  const moves = ids.map((id) => ada.call('POST', `/api/threads/${thread.id}/move`, { message_ids: [id] }))
  const [answers, moved] = await Promise.all([Promise.all(ids.map(change)), Promise.all(moves)])
  const left = [...(await ada.client.messages.list(room)), ...(await ada.client.messages.list(thread.id))]
  for (const [index, id] of ids.entries()) {
    const found = left.filter((message) => message.id === id)
    const isDone = (answers[index]?.status ?? 500) < 300
    assert.ok(isDone || answers[index]?.code === 'unknown_message', `${answers[index]?.code}`)
    assert.ok(
      moved[index]?.status === 200 || moved[index]?.code === 'unknown_message',
      `${moved[index]?.code}`,
    )
    assert.equal(found.length, index % 3 === 2 && isDone ? 0 : 1)
    if (index % 3 === 0) assert.equal(found[0]?.content, isDone ? `edited ${index}` : `${index}`)
    if (index % 3 === 1) assert.equal(found[0]?.reactions.length, isDone ? 1 : 0)
  }
  const inThread = await ada.client.messages.list(thread.id)
  assert.equal((await readThread(ada, thread.id)).message_count, inThread.length)
})

test('TROOM-18: a merged thread goes on in the other, with its messages and followers', async () => {
  const room = await newRoom()
  const [from, into] = [await startThread(eve, room), await startThread(ada, room)]
  await say(into.id, 'there')
  for (let number = 0; number < 20; number += 1)
    await ada.client.messages.create(from.id, { content: `${number}` })
  const merge = async (id: string, into: string) =>
    (await ada.call('POST', `/api/threads/${id}/merge`, { into })).code
  assert.equal(await merge(from.id, from.id), 'merging_itself')
  assert.equal(await merge(from.id, (await startThread(ada, space.general)).id), 'not_movable')
  assert.equal(await merge(from.id, newId()), 'unknown_thread')
  assert.equal((await threads(ada).merge(from.id, into.id)).message_count, 21)
  assert.equal((await ada.call('GET', `/api/threads/${from.id}`)).code, 'unknown_thread')
  assert.equal((await readThread(eve, into.id)).own.follow, 'all')
})

test('TROOM-17: the file of a moved message gets addresses after its old thread is gone', async () => {
  const room = await newRoom()
  const [from, into] = [await startThread(ada, room), await startThread(ada, room)]
  const file = new File(['leaves'], 'leaves.txt')
  const { id, attachments } = await eve.client.messages.createWithFiles(from.id, {}, [file])
  const resign = async () => (await eve.client.attachments.resign(attachments[0]?.id ?? '')).url
  assert.match(await resign(), /sig=/)
  await threads(ada).move(into.id, [id])
  await threads(ada).delete(from.id)
  assert.match(await resign(), /sig=/)
})
