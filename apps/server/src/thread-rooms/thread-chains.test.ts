import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { Automod } from '@foyer/sdk/api/automod'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { CAUGHT, wordRule } from '#test/scenes/automod.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { connectForThreads, readThread, startThread } from '#test/scenes/thread-rooms.ts'
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

const newRoom = async () => (await ada.client.rooms.create(space.id, { name: 'room', type: 1 })).id
const threads = (person: Person) => person.client.api(ThreadRooms)

const say = async (roomId: string, content: string, answered?: string) => {
  const reference = answered === undefined ? {} : { reference: { message_id: answered } }
  return (await eve.client.messages.create(roomId, { content, ...reference })).id
}

const textsIn = async (roomId: string) =>
  (await ada.client.messages.list(roomId)).map(({ content }) => content)

const taking = (message_id: string, more: object = {}) => ({
  ...{ title: 'Tea', message_id, moves_replies: true },
  ...more,
})

const movesInLog = async () => (await ada.client.auditLog.list(space.id, { action: 'thread_move' })).entries

test('TROOM-19: the chain of replies to a message moves into the thread that begins from it', async () => {
  const room = await newRoom()
  const starter = await say(room, 'who brings the rope?')
  const one = await say(room, `I do, <@${ada.id}>`, starter)
  await say(room, 'something else')
  const two = await say(room, 'a second one, too', one)
  const three = await say(room, 'no need', starter)
  await ada.client.reactions.add({ channel: room, id: one }, '👍')
  await ada.client.pins.add(room, one)
  const thread = await threads(ada).create(room, taking(starter))
  assert.deepEqual([thread.message_count, thread.last_message_id, thread.last_seq], [3, three, 3])
  const moved = (await ada.client.messages.list(thread.id)).toReversed()
  assert.deepEqual(
    moved.map(({ id, thread_id }) => [id, thread_id]),
    [one, two, three].map((id) => [id, starter]),
  )
  assert.deepEqual(
    moved.map(({ referenced_message }) => [referenced_message?.id, referenced_message?.room_id]),
    [
      [starter, room],
      [one, thread.id],
      [starter, room],
    ],
  )
  assert.deepEqual([moved[0]?.pinned, moved[0]?.reactions], [true, [{ emoji: '👍', count: 1, me: true }]])
  assert.deepEqual((await textsIn(room)).slice(-2), ['something else', 'who brings the rope?'])
  assert.equal((await ada.client.messages.get(room, starter)).replies, null)
  assert.deepEqual([thread.own.follow, thread.own.mention_count], ['all', 1])
  assert.equal((await readThread(eve, thread.id)).own.follow, null)
  const found = await ada.client.search.space(space.id, { query: 'second', room_id: [thread.id] })
  assert.deepEqual(
    found.messages.map(({ id }) => id),
    [two],
  )
  const [entry] = await movesInLog()
  assert.deepEqual(
    [entry?.target_id, entry?.actor_id, entry?.before, entry?.after],
    [thread.id, ada.id, { from_id: room }, { count: 3, from_id: thread.id }],
  )
  assert.equal((await ada.call('POST', `/api/rooms/${room}/threads`, taking(starter))).code, 'thread_exists')
})

test('TROOM-19: clients are sent the thread, then the replies that leave the room, then those in the thread', async () => {
  const room = await newRoom()
  const starter = await say(room, 'question')
  for (const content of ['one', 'two']) await say(room, content, starter)
  const listener = await connectForThreads(server, eve)
  const thread = await threads(ada).create(room, taking(starter, { content: 'first' }))
  await listener.settle()
  listener.close()
  const told = listener.frames.flatMap(({ t, d }) =>
    t?.startsWith('MESSAGE_') || t?.startsWith('THREAD_') ? [[t, Object(d).room_id, Object(d).is_moved]] : [],
  )
  assert.deepEqual(told, [
    ['THREAD_CREATE', room, undefined],
    ['MESSAGE_DELETE_BULK', room, undefined],
    ['MESSAGE_CREATE', thread.id, true],
    ['MESSAGE_CREATE', thread.id, true],
    ['MESSAGE_CREATE', thread.id, undefined],
  ])
})

test('TROOM-19: moving replies needs ManageThreads, and a refused thread moves nothing', async () => {
  const room = await newRoom()
  const starter = await say(room, 'question')
  const reply = await say(room, 'answer', starter)
  const logged = (await movesInLog()).length
  const bot = await createApplicationBot(server, ada, { name: 'helper', bot_public: true })
  await ada.client.members.addBot(space.id, bot.id)
  const begin = async (by: Pick<Person, 'call'>, body: object) =>
    (await by.call('POST', `/api/rooms/${room}/threads`, body)).code
  assert.equal(await begin(await createPerson(server, 'mallory'), taking(starter)), 'not_a_member')
  for (const person of [eve, bot]) assert.equal(await begin(person, taking(starter)), 'missing_permission')
  assert.equal(await begin(ada, { title: 'Tea', moves_replies: true }), 'invalid_request')
  assert.equal(await begin(ada, taking(newId())), 'unknown_message')
  assert.equal(await begin(ada, taking(reply)), 'not_movable')
  assert.equal(await begin(ada, taking(starter, { moves_replies: 'yes' })), 'invalid_request')
  assert.deepEqual(await textsIn(room), ['answer', 'question'])
  assert.deepEqual([(await threads(ada).list(room)).threads, (await movesInLog()).length], [[], logged])
  const role = await giveRole(ada, space.id, [], { capabilities: Capability.ManageThreads })
  await ada.client.roles.assign(space.id, bot.id, role.id)
  const { id } = await startThread({ ...ada, call: bot.call }, room, taking(starter))
  assert.deepEqual([await textsIn(room), await textsIn(id)], [['question'], ['answer']])
  const plain = await say(room, 'nobody answers')
  assert.equal((await startThread(ada, room, taking(plain))).message_count, 0)
  assert.equal((await movesInLog()).length, logged + 1)
})

test('TROOM-19: notices stay in the room, and a first message follows the replies', async () => {
  const room = await newRoom()
  const starter = await say(room, 'question')
  await ada.client.pins.add(room, await say(room, 'answer', starter))
  await until(async () => (await ada.client.messages.list(room)).length === 3, 'the notice of the pin')
  const thread = await startThread(ada, room, taking(starter, { content: 'on we go' }))
  assert.deepEqual(await textsIn(thread.id), ['on we go', 'answer'])
  assert.deepEqual(
    (await ada.client.messages.list(room)).map(({ type }) => type),
    [1, 0],
  )
})

test('TROOM-19: nothing changes if the first message is refused or a change fails', async () => {
  const room = await newRoom()
  const starter = await say(room, 'question')
  await say(room, 'boom', starter)
  const { database } = server.deps
  await database.execute(sql`
    alter table messages add constraint no_boom check (content <> 'boom' or parent_id is null) not valid`)
  const failed = await ada.call('POST', `/api/rooms/${room}/threads`, taking(starter, { content: 'first' }))
  await database.execute(sql`alter table messages drop constraint no_boom`)
  assert.equal(failed.status, 500)
  assert.deepEqual(await textsIn(room), ['boom', 'question'])
  assert.deepEqual((await threads(ada).list(room)).threads, [])
  const unfit = taking(starter, { content: 'first', attachment_ids: [newId()] })
  assert.equal((await ada.call('POST', `/api/rooms/${room}/threads`, unfit)).code, 'unknown_attachment')
  assert.deepEqual(await textsIn(room), ['boom', 'question'])
})

test('TROOM-19: a held first message moves the replies once it is approved, if its author still may', async () => {
  const watched = await makeSpace(ada, [eve])
  await wordRule(ada, watched, { action: 'hold' })
  const role = await giveRole(ada, watched.id, [eve], { capabilities: Capability.ManageThreads })
  const ask = async (content: string) => {
    const starter = await say(watched.general, content)
    await say(watched.general, `re: ${content}`, starter)
    const body = taking(starter, { title: content, content: CAUGHT })
    assert.equal(
      (await eve.call('POST', `/api/rooms/${watched.general}/threads`, body)).code,
      'held_for_review',
    )
  }
  await ask('one')
  await ask('two')
  const automod = ada.client.api(Automod)
  const [one, two] = await automod.listHeld(watched.id)
  await automod.approveHeld(watched.id, one?.id ?? '')
  await ada.client.roles.remove(watched.id, eve.id, role.id)
  await automod.approveHeld(watched.id, two?.id ?? '')
  assert.deepEqual((await textsIn(watched.general)).toReversed(), ['one', 'two', 're: two'])
})

test('TROOM-19: replies, edits and deletions at the same time lose no message', async () => {
  const room = await newRoom()
  const starter = await say(room, 'question')
  const ids: string[] = []
  for (let number = 0; number < 9; number += 1) ids.push(await say(room, `${number}`, ids.at(-1) ?? starter))
  const path = `/api/rooms/${room}/messages`
  const change = (id: string, index: number) =>
    [
      () => eve.call('POST', path, { content: `to ${id}`, reference: { message_id: id } }),
      () => eve.call('PATCH', `${path}/${id}`, { content: `edited ${index}` }),
      () => eve.call('DELETE', `${path}/${id}`),
    ][index % 3]?.()
  const [thread, toStarter, ...answers] = await Promise.all([
    startThread(ada, room, taking(starter)),
    eve.call('POST', path, { content: 'to the first', reference: { message_id: starter } }),
    ...ids.map(change),
  ])
  assert.ok(toStarter.status < 300)
  for (const answer of answers)
    assert.ok((answer?.status ?? 500) < 300 || answer?.code === 'unknown_message', `${answer?.code}`)
  const [inRoom, inThread] = [await ada.client.messages.list(room), await ada.client.messages.list(thread.id)]
  for (const [index, id] of ids.entries()) {
    const isDone = (answers[index]?.status ?? 500) < 300
    const found = inThread.filter((message) => message.id === id)
    assert.equal(found.length, index % 3 === 2 && isDone ? 0 : 1)
    if (index % 3 === 1) assert.equal(found[0]?.content, isDone ? `edited ${index}` : `${index}`)
    const replies = [...inRoom, ...inThread].filter(({ content }) => content === `to ${id}`)
    assert.equal(replies.length, index % 3 === 0 && isDone ? 1 : 0)
  }
  // Replies left in the room answer the starting message: all others would answer a message of the thread.
  for (const message of inRoom)
    assert.ok(message.id === starter || message.referenced_message?.id === starter)
  assert.equal((await readThread(ada, thread.id)).message_count, inThread.length)
})

test('TROOM-19: a starting message that is deleted at the same time neither blocks the thread nor is blocked', async () => {
  const room = await newRoom()
  const starter = await say(room, 'question')
  await say(room, 'answer', starter)
  const lock = await holdLock(server, sql`lock table thread_rooms in exclusive mode`)
  const beginning = ada.call('POST', `/api/rooms/${room}/threads`, taking(starter))
  await lock.waitForBlocked(1)
  const deleting = ada.call('DELETE', `/api/rooms/${room}/messages/${starter}`)
  await lock.waitForBlocked(2)
  await lock.release()
  const [begun, deleted] = await Promise.all([beginning, deleting])
  assert.deepEqual([begun.status, deleted.status], [201, 204])
  assert.deepEqual([await textsIn(room), await textsIn(Object(begun.body).id)], [[], ['answer']])
})
