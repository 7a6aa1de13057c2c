import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { MessageType } from '@foyer/protocol/messages'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import pino from 'pino'
import { startWorker } from '#src/jobs/worker.ts'
import { SERVICES } from '#src/kernel/services.ts'
import { type OpenPool, openPool } from '#src/kernel/sql/pool.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connectionOf } from '#test/database.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { fillChain, fillThread, readThread, startThread } from '#test/scenes/thread-rooms.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { threadJobs } from './jobs.ts'

let server: TestServer
let jobs: OpenPool
let ada: Person
let space: TestSpace

before(async () => {
  // No process does jobs until a test says so, as after a kill.
  server = await startOwnServer({ services: SERVICES.filter((service) => service !== 'jobs') })
  jobs = openPool({ ...(await connectionOf(server)), max: 4 }, () => undefined)
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada, [])
})
after(async () => {
  await jobs.close()
  await server.close()
})

/** Starts a thread from a message with this many replies, and returns the room, the message and the thread. */
async function begin(count: number) {
  const { id: room } = await ada.client.rooms.create(space.id, { name: 'room', type: 1 })
  const { id: starter } = await ada.client.messages.create(room, { content: 'question' })
  await fillChain(server, { space, roomId: room, messageId: starter, author: ada }, count)
  const { id } = await startThread(ada, room, { title: 'Tea', message_id: starter, moves_replies: true })
  return { room, starter, thread: id }
}

/** Does all jobs that wait. */
async function work(context: TestContext): Promise<void> {
  const log = pino({ level: 'silent' })
  const table = threadJobs(server.deps)
  const worker = await startWorker({ pool: jobs.pool, log }, [table])
  context.after(() => worker.stop())
  const left = () =>
    server.deps.database.query(sql`
      select from graphile_worker.jobs
      where task_identifier = any(${Object.keys(table.handlers)}) and attempts < max_attempts`)
  await until(async () => (await left()).length === 0, 'the jobs are done')
}

async function listAll(roomId: string) {
  const pages = []
  for (let before: string | undefined, isMore = true; isMore; ) {
    const page = await ada.client.messages.list(roomId, { limit: 100, ...(before && { before }) })
    pages.push(...page)
    before = page.at(-1)?.id
    isMore = page.length === 100
  }
  return pages.toReversed()
}

test('TROOM-19: a chain of more than 100 replies moves in order, also after a kill, with replies sent in between', async (context) => {
  const { room, starter, thread } = await begin(250)
  assert.equal((await readThread(ada, thread)).message_count, 100)
  const [first, ...waiting] = (await listAll(room)).slice(1)
  const say = (content: string, id = '') =>
    ada.client.messages.create(room, { content, reference: { message_id: id } })
  await say('late', starter)
  await say('later', first?.id)
  await ada.client.messages.update(room, waiting[0]?.id ?? '', { content: 'edited' })
  await ada.client.messages.delete(room, waiting[1]?.id ?? '')
  await work(context)
  const all = await listAll(thread)
  const numbered = Array.from({ length: 250 }, (_, index) => `reply ${index + 1}`)
  const expected = numbered.with(101, 'edited').filter((content) => content !== 'reply 103')
  assert.deepEqual(
    all.map(({ content }) => content),
    [...expected, 'late', 'later'],
  )
  assert.deepEqual(
    (await listAll(room)).map(({ content, replies }) => [content, replies]),
    [['question', null]],
  )
  // The deleted message's reply answers nothing, the late one the message in the room, all others one in the thread.
  const elsewhere = all.filter(({ reference }) => reference?.room_id !== thread)
  assert.deepEqual(
    elsewhere.map(({ content, referenced_message }) => [content, referenced_message?.content]),
    [
      ['reply 1', 'question'],
      ['reply 104', undefined],
      ['late', 'question'],
    ],
  )
  const { entries } = await ada.client.auditLog.list(space.id, { action: 'thread_move' })
  assert.deepEqual(entries[0]?.after, { count: 250, from_id: thread })
})

test('TROOM-19: the rest of a chain stays in the room if the thread is deleted first', async (context) => {
  const { room, thread } = await begin(150)
  await ada.client.api(ThreadRooms).delete(thread)
  await work(context)
  assert.equal((await listAll(room)).length, 51)
})

test('TROOM-19: a chain of more than 10,000 replies begins no thread', async () => {
  await assert.rejects(begin(10_001), /not_movable/)
  const rows = await server.deps.database.query(sql`
    select from messages where tenant_id = ${space.id} and thread_id is not null and parent_id is null`)
  assert.equal(rows.length, 50 + 10_001)
})

/** Begins to merge a thread with this many messages and a follower, of which 100 move at once. */
async function beginMerge(count: number, follower = ada, roomId = space.general) {
  const [from, into] = [await startThread(ada, roomId), await startThread(ada, roomId)]
  await follower.call('PUT', `/api/threads/${from.id}/follow`, { level: 'all' })
  const scene = { space: { ...space, general: roomId }, threadId: from.id, author: ada }
  await fillThread(server, scene, { type: MessageType.Default, count })
  const answer = await ada.client.api(ThreadRooms).merge(from.id, into.id)
  assert.equal(answer.message_count, 100)
  return { from: from.id, into: into.id }
}

const mergeCode = async (from: string, into: string) =>
  (await ada.call('POST', `/api/threads/${from}/merge`, { into })).code

const contentsOf = async (threadId: string) => (await listAll(threadId)).map(({ content }) => content)

test('TROOM-18: a merge of more than 100 messages goes on in jobs, with messages and followers from after its beginning', async (context) => {
  const [eve, kim] = [await createPerson(server, 'eve'), await createPerson(server, 'kim')]
  for (const person of [eve, kim]) await join(person, ada, space)
  const { from, into } = await beginMerge(180, kim)
  await ada.client.messages.create(from, { content: 'late' })
  await eve.call('PUT', `/api/threads/${from}/follow`, { level: 'mentions' })
  await kim.call('DELETE', `/api/threads/${into}/follow`)
  await work(context)
  const numbered = Array.from({ length: 180 }, (_, index) => `stored ${index + 1}`)
  assert.deepEqual(await contentsOf(into), [...numbered, 'late'])
  assert.equal((await ada.call('GET', `/api/threads/${from}`)).code, 'unknown_thread')
  const { follow, unread_count } = (await readThread(eve, into)).own
  assert.deepEqual([follow, unread_count], ['mentions', 81])
  assert.equal((await readThread(kim, into)).own.follow, null)
  const { entries } = await ada.client.auditLog.list(space.id, { action: 'thread_merge' })
  assert.deepEqual(entries[0]?.after, { into_id: into, count: 180 })
})

test('TROOM-18: a merge moves nothing more once the merged thread is deleted', async (context) => {
  const { from, into } = await beginMerge(150)
  await ada.client.api(ThreadRooms).delete(from)
  await work(context)
  assert.equal((await listAll(into)).length, 100)
})

test('TROOM-18: a merge moves nothing more once its room is deleted', async (context) => {
  const { id: room } = await ada.client.rooms.create(space.id, { name: 'room', type: 1 })
  const { into } = await beginMerge(150, ada, room)
  await ada.client.rooms.delete(space.id, room)
  await work(context)
  const rows = await server.deps.database.query(sql`
    select from messages where tenant_id = ${space.id} and channel_id = ${into}`)
  assert.equal(rows.length, 100)
})

test('TROOM-18: the rest of a merge stays where it is once the other thread is deleted, and merges into a third', async (context) => {
  const { from, into } = await beginMerge(150)
  const { id: third } = await startThread(ada, space.general)
  await ada.client.api(ThreadRooms).delete(into)
  await work(context)
  assert.equal((await listAll(from)).length, 50)
  assert.equal(await mergeCode(from, third), null)
  assert.equal((await listAll(third)).length, 50)
})

test('TROOM-18: a thread that is being merged goes into no third one, and nothing is merged into it', async (context) => {
  const { from, into } = await beginMerge(150)
  const { id: third } = await startThread(ada, space.general)
  const codes = [await mergeCode(from, third), await mergeCode(into, from), await mergeCode(third, from)]
  assert.deepEqual(codes, Array(3).fill('thread_merging'))
  await work(context)
  assert.equal(await mergeCode(into, third), null)
  await work(context)
  assert.equal((await listAll(third)).length, 150)
})

test('TROOM-18: a merge that stopped goes on when it is begun again', async (context) => {
  const { from, into } = await beginMerge(250)
  await server.deps.database.query(sql`
    delete from graphile_worker._private_jobs where payload ->> 'from_id' = ${from}`)
  assert.equal(await mergeCode(from, into), null)
  await work(context)
  assert.equal((await listAll(into)).length, 250)
})
