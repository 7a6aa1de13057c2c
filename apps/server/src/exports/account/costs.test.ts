import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import type { DatabaseSnapshot } from '#src/kernel/database/snapshot-reads.ts'
import { newId } from '#src/kernel/ids.ts'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import { buffersRead, type PlanNode, planModes, planOf, rowsRead } from '#test/plans.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { FIRST_PLACE, listOwnIds, listOwnMessages, nextPlace } from './queries.ts'
import { sections } from './sections.ts'

const OWN = 20_000
const SPACES = 50

let server: TestServer
let ada: Person
let ben: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  ben = await createPerson(server, 'ben')
  space = await makeSpace(ben)
})
after(() => server.close())

/** Returns the plans of all that the work asks the database. */
async function plansOf(work: (database: DatabaseSnapshot) => Promise<unknown>): Promise<PlanNode[]> {
  const asked: Query[] = []
  await using snapshot = await server.deps.snapshotReads.open()
  await work({
    query: <R extends pg.QueryResultRow>(query: Query) => {
      asked.push(query)
      return snapshot.query<R>(query)
    },
    [Symbol.asyncDispose]: async () => undefined,
  })
  const plans: PlanNode[] = []
  for (const query of asked)
    for (const mode of planModes) plans.push(await planOf(server.deps.database, query, mode))
  return plans
}

test('EXPORT-5: a page of messages reads its own, however many the person wrote in the room', async () => {
  const { database } = server.deps
  const place = { tenantId: space.id, channelId: space.general }
  await database.execute(sql`
    insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at)
    select ${space.id}, ${space.general}, uuidv7(), 1000 + n,
      case when n % 2 = 0 then ${ada.id}::uuid else ${ben.id}::uuid end, 'word', now()
    from generate_series(1, ${2 * OWN}::integer) n`)
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await database.execute(sql`analyze messages`)
    for (const plan of await plansOf((each) => nextPlace(each, ada.id, FIRST_PLACE)))
      assert.ok(buffersRead(plan) < 20, JSON.stringify(plan))
    const ids = await listOwnIds(database, ada.id, place)
    assert.equal(ids.count, OWN)
    const page = { ...place, ids: ids.slice(5000, 6000) }
    assert.equal((await listOwnMessages(database, ada.id, page)).length, 1000)
    for (const plan of await plansOf((each) => listOwnMessages(each, ada.id, page)))
      assert.equal(rowsRead(plan, 'messages'), 1000, JSON.stringify(plan))
  }
})

test('EXPORT-5: what the person did in spaces is read without what others did there', async () => {
  const { database } = server.deps
  const spaces = Array.from({ length: SPACES }, () => newId())
  await database.execute(sql`
    insert into audit_log (space_id, id, action, actor_id, target_type, target_id, target_name)
    select (${spaces}::uuid[])[1 + n % ${SPACES}::integer], uuidv7(), 'room_create',
      case when n % 10000 = 0 then ${ada.id}::uuid else ${ben.id}::uuid end, 'room', uuidv7(), 'a room'
    from generate_series(1, ${OWN}::integer) n`)
  await database.execute(sql`analyze audit_log`)
  const section = sections.find(({ name }) => name === 'audit-log')
  assert.ok(section)
  const rows: object[] = []
  const plans = await plansOf(async (each) => {
    for await (const page of section.pages(each, ada.id)) rows.push(...page)
  })
  assert.equal(rows.length, 2)
  for (const plan of plans) {
    assert.ok(rowsRead(plan, 'audit_log') <= 3 * (SPACES + 1), JSON.stringify(plan))
    assert.ok(buffersRead(plan) <= 12 * (SPACES + 1), `${buffersRead(plan)}`)
  }
})
