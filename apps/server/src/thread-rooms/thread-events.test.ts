import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Permission } from '@foyer/protocol/permissions'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { Frame } from '#src/gateway/connections/frames.ts'
import { surveyJournal } from '#src/gateway/resume/replay-survey.ts'
import { firstIdAt } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient, type Identity, openSession, resume } from '#test/gateway-client.ts'
import { holdCommit } from '#test/locks/held-commits.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { connectForThreads, readThread, startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

/** Longer than the server waits for the messages before one that arrived early. */
const PATIENCE_MS = 400

let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace
let open: GatewayClient[] = []

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  space = await makeSpace(ada, [eve])
})
afterEach(() => {
  for (const client of open) client.close()
  open = []
})
after(() => server.close())

async function keep(opening: Promise<GatewayClient>): Promise<GatewayClient> {
  const client = await opening
  open.push(client)
  return client
}

/** Resumes from a position, and asks for threads. */
async function resumeForThreads(identity: Identity, s: string): Promise<GatewayClient> {
  const client = await keep(resume(server, identity, s, ['threads']))
  await client.findEvent('RESUMED')
  return client
}

const hide = (roomId: string) =>
  ada.client.overwrites.upsert(space.id, roomId, {
    ...{ target_id: space.id, target_type: 0, allow_flags: 0 },
    deny_flags: Permission.ViewChannels,
  })

/** Returns the names of the events about the thread. */
const told = (client: GatewayClient, threadId: string) =>
  client.frames.flatMap(({ t, text }) => (t !== undefined && text.includes(threadId) ? [t] : []))

async function liveIn(threadId: string): Promise<void> {
  const { id } = await ada.client.messages.create(threadId, { content: 'one' })
  await ada.client.messages.update(threadId, id, { content: 'two' })
  await eve.client.reactions.add({ channel: threadId, id }, '👍')
  await eve.call('POST', `/api/rooms/${threadId}/typing`)
  await ada.client.messages.delete(threadId, id)
  await ada.call('PATCH', `/api/threads/${threadId}`, { title: 'Renamed' })
  await ada.call('DELETE', `/api/threads/${threadId}`)
}

test('TROOM-8: only connections that ask for threads receive their events, the others what they did before', async () => {
  const [asking, old] = [await keep(connectForThreads(server, eve)), await keep(connect(server, eve))]
  const before = old.frames.length
  const thread = await startThread(ada, space.general)
  await liveIn(thread.id)
  await ada.client.messages.create(space.general, { content: 'in the room' })
  await Promise.all([asking.settle(), old.settle()])
  assert.deepEqual(told(asking, thread.id), [
    'THREAD_CREATE',
    'MESSAGE_CREATE',
    'MESSAGE_UPDATE',
    'MESSAGE_REACTION_ADD',
    'TYPING_START',
    'MESSAGE_DELETE',
    'THREAD_UPDATE',
    'THREAD_DELETE',
  ])
  for (const { t, d } of asking.frames)
    if (t?.startsWith('MESSAGE_') && Object(d).room_id === thread.id)
      assert.equal(Object(d).parent_room_id, space.general)
  const received = old.frames.slice(before).flatMap(({ t }) => t ?? [])
  assert.deepEqual(received, ['MESSAGE_CREATE'])
  assert.ok(!old.heard('MESSAGE_CREATE')[0]?.text.includes('parent_room_id'))
})

test('TROOM-8: READY has the number of unread threads only for those who ask', async () => {
  const thread = await startThread(eve, space.general)
  await ada.client.messages.create(thread.id, { content: 'unread' })
  const [asking, old] = [await keep(connectForThreads(server, eve)), await keep(connect(server, eve))]
  const countIn = (client: GatewayClient) => Object(client.heard('READY')[0]?.d).followed_thread_count_unread
  assert.deepEqual([countIn(asking), countIn(old)], [1, undefined])
  assert.ok(!(asking.heard('READY')[0]?.text ?? '').includes(thread.id))
  const { id } = await ada.client.messages.create(thread.id, { content: 'read' })
  await eve.client.messages.ack(thread.id, id)
  assert.equal(countIn(await keep(connectForThreads(server, eve))), 0)
})

test('TROOM-9: RESUME repeats what was missed in threads, to those who ask', async () => {
  const asking = await keep(connectForThreads(server, eve))
  const s = asking.heard('READY')[0]?.s ?? ''
  const thread = await startThread(ada, space.general)
  await liveIn(thread.id)
  await ada.client.messages.create(space.general, { content: 'in the room' })
  const identity = await openSession(server, eve.id)
  const old = await keep(resume(server, identity, s))
  const anew = await resumeForThreads(identity, s)
  const answer = await anew.findEvent('RESUMED')
  assert.deepEqual(told(anew, thread.id), [
    'THREAD_CREATE',
    'MESSAGE_CREATE',
    'MESSAGE_UPDATE',
    'MESSAGE_REACTION_ADD',
    'MESSAGE_DELETE',
    'THREAD_UPDATE',
    'THREAD_DELETE',
  ])
  assert.deepEqual(told(old, thread.id), [])
  const counts = [answer, await old.findEvent('RESUMED')].map(({ d }) => Object(d).replayed)
  const ofThreads = anew.frames.filter(
    ({ t, text }) => /^THREAD_/.test(t ?? '') || text.includes('parent_room_id'),
  )
  assert.equal(counts[0] - ofThreads.length, counts[1])
})

test('TROOM-9: RESUME after the room was hidden repeats nothing of its threads', async () => {
  const room = await ada.client.rooms.create(space.id, { name: 'soon hidden', type: 1 })
  const asking = await keep(connectForThreads(server, eve))
  const s = asking.heard('READY')[0]?.s ?? ''
  const thread = await startThread(ada, room.id)
  await ada.client.messages.create(thread.id, { content: 'secret' })
  await hide(room.id)
  await ada.client.messages.create(thread.id, { content: 'later secret' })
  await asking.settle()
  assert.deepEqual(told(asking, thread.id), ['THREAD_CREATE', 'MESSAGE_CREATE'])
  const anew = await resumeForThreads(await openSession(server, eve.id), s)
  assert.deepEqual(told(anew, thread.id), [])
})

test('TROOM-9: RESUME repeats nothing from before the end of a thread that the client has received', async () => {
  const asking = await keep(connectForThreads(server, eve))
  const after = asking.heard('READY')[0]?.s ?? ''
  const thread = await startThread(ada, space.general)
  await liveIn(thread.id)
  await ada.client.messages.create(space.general, { content: 'later' })
  await asking.settle()
  const s = asking.heard('MESSAGE_CREATE').at(-1)?.s ?? ''
  const anew = await resumeForThreads(await openSession(server, eve.id), s)
  assert.deepEqual(told(anew, thread.id), ['THREAD_DELETE'])
  // Clients that were away for long share no read of the journal.
  const topics = [topicOf.thread(space.id, space.general)]
  const range = { topics, after, before: firstIdAt(Date.now() + 1000), lastReceived: s, hasThreads: true }
  const survey = await surveyJournal(server.deps.database, eve.id, range, 100)
  assert.deepEqual(survey.ended_threads, [thread.id])
})

test('TROOM-10: a follower’s own messages are not unread', async () => {
  const thread = await startThread(ada, space.general, { title: 'Tea', content: 'by its creator' })
  const unread = async (person: Person) => (await readThread(person, thread.id)).own.unread_count
  await ada.client.messages.create(thread.id, { content: 'also by them' })
  assert.deepEqual([await unread(ada), await unread(eve)], [0, 2])
  await eve.client.messages.create(thread.id, { content: 'an answer' })
  assert.equal(await unread(ada), 1)
})

test('TROOM-10: those who write or are mentioned follow a thread, and their other connections are told', async () => {
  const mine = await keep(connectForThreads(server, eve))
  const old = await keep(connect(server, eve))
  const thread = await startThread(ada, space.general)
  const follow = async () => Object((await eve.call('GET', `/api/threads/${thread.id}`)).body).own
  assert.equal((await follow()).follow, null)
  await ada.client.messages.create(thread.id, { content: `<@${eve.id}>, look` })
  assert.deepEqual(await follow(), { follow: 'all', read_seq: 0, unread_count: 1, mention_count: 1 })
  const path = `/api/threads/${thread.id}/follow`
  assert.equal((await eve.call('PUT', path, { level: 'muted' })).status, 200)
  await eve.client.messages.create(thread.id, { content: 'me, too' })
  assert.equal((await follow()).follow, 'muted')
  for (const level of ['none', null, 7])
    assert.equal((await eve.call('PUT', path, { level })).code, 'invalid_request')
  assert.equal((await eve.call('DELETE', path)).status, 204)
  await eve.client.messages.create(thread.id, { content: 'again' })
  assert.equal((await follow()).follow, 'all')
  await Promise.all([mine.settle(), old.settle()])
  const updates = mine.heard('THREAD_FOLLOW_UPDATE').map(({ d }) => Object(d).follow)
  assert.deepEqual(updates, ['all', 'muted', null, 'all'])
  assert.deepEqual(old.heard('THREAD_FOLLOW_UPDATE'), [])
})

test('TROOM-10: a mention of somebody who may not view the room follows nothing', async () => {
  const room = await ada.client.rooms.create(space.id, { name: 'hidden', type: 1 })
  await hide(room.id)
  const thread = await startThread(ada, room.id)
  await ada.client.messages.create(thread.id, { content: `<@${eve.id}>` })
  await ada.client.overwrites.delete(space.id, room.id, space.id)
  assert.equal(Object((await eve.call('GET', `/api/threads/${thread.id}`)).body).own.follow, null)
})

test('TROOM-8: events of threads are not encoded if no connection asked for threads', async (t) => {
  const old = await keep(connect(server, eve))
  const { mock } = t.mock.method(Frame, 'concat')
  const encoded = (id: string) =>
    mock.calls.flatMap(({ arguments: [frames] }) => frames).filter(({ plain }) => plain.includes(id)).length
  const unheard = await startThread(ada, space.general)
  await liveIn(unheard.id)
  await old.settle()
  assert.equal(encoded(unheard.id), 0)
  const asking = await keep(connectForThreads(server, eve))
  const heard = await startThread(ada, space.general)
  await asking.settle()
  assert.equal(encoded(heard.id), 1)
})

test('PROCESS-26: a message whose move into a thread becomes known after the end of the thread is not received there', async (context) => {
  const client = await keep(connectForThreads(server, eve))
  const thread = await startThread(ada, space.general)
  const { id } = await ada.client.messages.create(space.general, { content: 'moved' })
  const move = holdCommit(context, 'update messages set channel_id')
  const moved = ada.client.api(ThreadRooms).move(thread.id, [id])
  await move.committed
  await ada.client.api(ThreadRooms).delete(thread.id)
  move.release()
  await moved.catch(() => undefined)
  await client.settle()
  assert.deepEqual(told(client, thread.id), ['THREAD_CREATE', 'THREAD_DELETE'])
  assert.equal(client.heard('MESSAGE_DELETE_BULK').length, 1)
})

test('PROCESS-26: a message that waits for an earlier one is not received after the end of its thread', async () => {
  const client = await keep(connectForThreads(server, eve))
  const thread = await startThread(ada, space.general)
  await ada.client.messages.create(thread.id, { content: 'first' })
  // A number that another process has given to a message that it has not published yet.
  await server.deps.database.execute(sql`
    update message_heads set last_seq = last_seq + 1
    where tenant_id = ${space.id} and channel_id = ${thread.id}`)
  await ada.client.messages.create(thread.id, { content: 'waits' })
  await ada.client.api(ThreadRooms).delete(thread.id)
  await delay(PATIENCE_MS)
  await client.settle()
  assert.deepEqual(told(client, thread.id), ['THREAD_CREATE', 'MESSAGE_CREATE', 'THREAD_DELETE'])
})
