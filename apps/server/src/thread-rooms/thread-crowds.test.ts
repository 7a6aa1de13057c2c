import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MessageType } from '@foyer/protocol/messages'
import { type ThreadState, threadStates } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import { planModes, planOf, rowsRead, statementOf } from '#test/plans.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { fillThread, readThread, startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { positionOf } from './cursors.ts'
import { listThreadsOfRoom } from './page-queries.ts'

/** For 100 jobs on a busy machine. */
const MAX_MERGE_MS = 120_000

let server: TestServer
let ada: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada)
})
after(() => server.close())

/** Inserts sleeping threads, the newest first. */
const insertMany = (roomId: string, from: number, to: number) =>
  server.deps.database.execute(sql`
    with thread as (
      insert into thread_rooms (space_id, id, room_id, title, creator_id, quiet_minutes, active_at)
      select ${space.id}, gen_random_uuid(), ${roomId}, 'thread ' || number, ${ada.id}, 60,
        now() - make_interval(mins => 61 + number)
      from generate_series(${from}::integer, ${to}::integer) as number returning id
    )
    insert into message_heads (tenant_id, channel_id) select ${space.id}, id from thread`)

/** Returns the statement that lists the threads. */
function listingOf(roomId: string, state: ThreadState, before: string | undefined): Promise<Query> {
  const page = { before: positionOf(before), limit: 51 }
  return statementOf((database) => listThreadsOfRoom(database, { spaceId: space.id, roomId }, state, page))
}

test('TROOM-16: a page of a room with 100,000 threads reads no more of them than it shows', async () => {
  const threads = ada.client.api(ThreadRooms)
  const room = await ada.client.rooms.create(space.id, { name: 'huge', type: 1 })
  for (let first = 1; first < 100_000; first += 10_000) await insertMany(room.id, first, first + 9999)
  await server.deps.database.execute(sql`analyze thread_rooms`)
  const active = await threads.list(room.id, { state: 'active' })
  assert.deepEqual(active, { threads: [], next: null })
  const first = await threads.list(room.id, { state: 'asleep', limit: 3 })
  assert.deepEqual(
    first.threads.map(({ title }) => title),
    ['thread 1', 'thread 2', 'thread 3'],
  )
  const middle = `${Date.now() - 50_000 * 60_000}_${room.id}`
  const pages = threadStates.flatMap((state) => [undefined, middle].map((before) => ({ state, before })))
  for (const { state, before } of pages) {
    const query = await listingOf(room.id, state, before)
    for (const mode of planModes) {
      const rows = rowsRead(await planOf(server.deps.database, query, mode), 'thread_rooms')
      assert.ok(rows <= 200, `${state} ${before} ${mode}: ${rows} rows`)
    }
  }
})

test('TROOM-18: a merge of 10,000 messages keeps all of them in their order, beside messages that are sent', async () => {
  const [from, into] = [await startThread(ada, space.general), await startThread(ada, space.general)]
  await fillThread(
    server,
    { space, threadId: from.id, author: ada },
    { type: MessageType.Default, count: 10_000 },
  )
  await ada.client.api(ThreadRooms).merge(from.id, into.id)
  const sent: string[] = []
  for (let number = 0; number < 10; number += 1)
    sent.push((await ada.client.messages.create(into.id, { content: `sent ${number}` })).content)
  const isMerged = async () => (await readThread(ada, into.id)).message_count === 10_010
  await until(isMerged, 'the thread was never merged', MAX_MERGE_MS)
  const texts = await server.deps.database.query<{ content: string }>(sql`
    select content from messages where tenant_id = ${space.id} and channel_id = ${into.id} order by seq`)
  const inOrder = (prefix: string) =>
    texts.map(({ content }) => content).filter((content) => content.startsWith(prefix))
  assert.deepEqual(inOrder('sent'), sent)
  assert.deepEqual(
    inOrder('stored'),
    Array.from({ length: 10_000 }, (_, index) => `stored ${index + 1}`),
  )
})
