import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { AutomodHitQuery } from '@foyer/protocol/automod'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { pageOfHits } from '#src/moderation/screening/queries.ts'
import { buffersRead, planModes, planOf, rowsRead } from '#test/plans.ts'
import { createPerson } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const HIDDEN_HITS = 50_000
const ROOMS = 300
const PAGE = 50

let server: TestServer
let space: TestSpace
let roomIds: string[]

before(async () => {
  server = await startTestServer()
  space = await makeSpace(await createPerson(server, 'owner'))
  roomIds = Array.from({ length: ROOMS }, () => newId())
})
after(() => server.close())

/** Inserts hits of the rule in the rooms in turn, newer than all before them. */
async function insertHits(ruleId: string, rooms: readonly (string | null)[], count: number): Promise<void> {
  await server.deps.database.execute(sql`
    insert into automod_hits (space_id, id, rule_id, room_id, source, mode, text)
    select ${space.id}, uuidv7(), ${ruleId}, (${rooms}::uuid[])[1 + n % ${rooms.length}::integer], 'message', 'on',
      n::text
    from generate_series(1, ${count}::integer) n
    returning id`)
}

test('AUTOMOD-13: a page of hits reads its own hits and one per room, however many there are in other rooms', async () => {
  const [rule, other, hidden] = [newId(), newId(), newId()]
  await insertHits(rule, [...roomIds, null], 2 * ROOMS)
  await insertHits(other, roomIds, 20 * ROOMS)
  await insertHits(rule, [hidden], HIDDEN_HITS)
  await server.deps.database.execute(sql`analyze automod_hits`)
  const queries: AutomodHitQuery[] = [{ limit: PAGE }, { limit: PAGE, rule_id: rule }]
  for (const query of queries) {
    const page = pageOfHits(space.id, roomIds, query)
    const rows = await server.deps.database.query<{ room_id: string }>(page)
    assert.deepEqual([rows.length, rows.some(({ room_id }) => room_id === hidden)], [PAGE, false])
    for (const mode of planModes) {
      const plan = await planOf(server.deps.database, page, mode)
      const work = { hits: rowsRead(plan, 'automod_hits'), buffers: buffersRead(plan) }
      const what = `${JSON.stringify({ ...work, ...query })}, ${mode}`
      assert.ok(work.hits <= ROOMS + PAGE * (PAGE + 2), what)
      // An index lookup reads three or four, and each hit one more.
      assert.ok(work.buffers <= 5 * (ROOMS + 2 * PAGE) + PAGE * (PAGE + 2), what)
    }
  }
})
