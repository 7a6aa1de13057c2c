import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type ThreadState, threadStates } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import { planModes, planOf, rowsRead, statementOf } from '#test/plans.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { positionOf } from './cursors.ts'
import { listThreadsOfRoom } from './page-queries.ts'

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
