import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { positionOf } from '#src/thread-rooms/cursors.ts'
import { listInState, type PostFilter } from '#src/thread-rooms/page-queries.ts'
import { planModes, planOf, rowsRead, statementOf } from '#test/plans.ts'
import { listPosts, makeForum } from '#test/scenes/forums.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { findFewInState, listClosedByCreation } from './page-queries.ts'

let server: TestServer
let ada: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada)
})
after(() => server.close())

/** Makes posts, the first of them the newest: asleep, but each 20,000th active, and each 25,000th from 20,001 on closed. */
const insertMany = (forumId: string, from: number, to: number) =>
  server.deps.database.execute(sql`
    with given as (
      select gen_random_uuid() as id, number, now() - make_interval(mins => number) as created_at
      from generate_series(${from}::integer, ${to}::integer) as number
    ),
    thread as (
      insert into thread_rooms (space_id, id, room_id, title, creator_id, quiet_minutes, is_closed, active_at, created_at)
      select ${space.id}, id, ${forumId}, 'post ' || number, ${ada.id}, 60, number % 25000 = 20001,
        case when number % 20000 = 0 then now() else now() - make_interval(mins => 61 + number) end, created_at
      from given
    ),
    head as (
      insert into message_heads (tenant_id, channel_id) select ${space.id}, id from given
    )
    insert into posts (space_id, id, room_id, created_at) select ${space.id}, id, ${forumId}, created_at from given`)

const noFilter: PostFilter = { tags: [], solved: null, excluded: [] }

test('FORUM-5: a list by creation finds the few posts in a state without reading 100,000 others', async () => {
  const forum = await makeForum(ada, space)
  const { database } = server.deps
  for (let first = 1; first < 100_000; first += 10_000) await insertMany(forum.id, first, first + 9999)
  await database.execute(sql`analyze thread_rooms`)
  await database.execute(sql`analyze posts`)
  const titles = async (query: string) =>
    (await listPosts(ada, forum.id, `?sort=created&${query}`)).map(({ title }) => title)
  const active = [20_000, 40_000, 60_000, 80_000, 100_000].map((number) => `post ${number}`)
  assert.deepEqual(await titles('state=active'), active)
  assert.deepEqual(await titles('state=active&solved=true'), [])
  const closed = [20_001, 45_001, 70_001, 95_001].map((number) => `post ${number}`)
  assert.deepEqual(await titles('state=closed'), closed)
  assert.deepEqual(await titles('state=asleep&limit=2'), ['post 1', 'post 2'])
  const key = { spaceId: space.id, roomId: forum.id }
  const asked = { before: positionOf(undefined), limit: 51, filter: noFilter }
  const statements = [
    await statementOf((known) => listInState(known, key, 'active', 2001)),
    await statementOf((known) => listClosedByCreation(known, key, asked)),
  ]
  for (const query of statements)
    for (const mode of planModes) {
      const rows = rowsRead(await planOf(database, query, mode), 'thread_rooms')
      assert.ok(rows <= 200, `${query.text} ${mode}: ${rows} rows`)
    }
  const few = await findFewInState(database, key, 'active', noFilter)
  assert.equal(few?.length, 5)
  assert.equal(await findFewInState(database, key, 'asleep', noFilter), undefined)
})
