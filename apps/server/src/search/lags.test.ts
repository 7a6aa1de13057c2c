import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { planModes, planOf, rowsRead, statementOf } from '#test/plans.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startThread } from '#test/scenes/thread-rooms.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { listLags } from './lags.ts'

let server: TestServer
let ada: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada)
})
after(() => server.close())

/** Inserts threads with messages that are not indexed, the newest of them some minutes ago. */
const insertMany = (count: number, minutesAgo: number) =>
  server.deps.database.execute(sql`
    with thread as (
      insert into thread_rooms (space_id, id, room_id, title, creator_id, quiet_minutes, message_count, active_at)
      select ${space.id}, gen_random_uuid(), ${space.general}, 'thread', ${ada.id}, 60, 1,
        now() - make_interval(mins => ${minutesAgo}::integer, secs => number / 10000.0)
      from generate_series(1, ${count}::integer) as number returning id
    )
    insert into message_heads (tenant_id, channel_id, last_seq) select ${space.id}, id, 1 from thread`)

test('TROOM-12: a search reads the heads of few threads, however many a space has, and finds what is new', async () => {
  const old = await startThread(ada, space.general)
  await server.deps.database.execute(sql`
    update thread_rooms set active_at = now() - interval '1 year' where id = ${old.id}`)
  for (let batch = 0; batch < 9; batch += 1) await insertMany(10_000, 120)
  await insertMany(10_000, 1)
  await server.deps.database.execute(sql`analyze thread_rooms, message_heads`)
  const query = await statementOf((database) => listLags(database, space.id))
  for (const mode of planModes) {
    const plan = await planOf(server.deps.database, query, mode)
    for (const table of ['message_heads', 'thread_rooms']) {
      const rows = rowsRead(plan, table)
      assert.ok(rows <= 2600, `${mode}: ${rows} rows of ${table}`)
    }
  }
  const find = async (words: string) => {
    const { messages } = await ada.client.search.space(space.id, { query: words })
    return messages.map(({ id }) => id)
  }
  const inOld = await ada.client.messages.create(old.id, { content: 'awakened' })
  assert.deepEqual(await find('awakened'), [inOld.id])
  const inNew = await ada.client.messages.create((await startThread(ada, space.general)).id, {
    content: 'fresh',
  })
  assert.deepEqual(await find('fresh'), [inNew.id])
})

test('TROOM-12: a room is as large as its own messages and those of all of its threads', async () => {
  const other = await makeSpace(ada)
  const thread = await startThread(ada, other.general)
  for (const id of [thread.id, thread.id, other.general])
    await ada.client.messages.create(id, { content: 'x' })
  const sizes = await server.deps.threadSizes.find(server.deps.database, other.id)
  assert.deepEqual([...sizes], [[other.general, 2]])
  const lag = (await listLags(server.deps.database, other.id)).find(
    ({ channelId }) => channelId === other.general,
  )
  assert.equal(lag?.lastSeq, 1)
})
