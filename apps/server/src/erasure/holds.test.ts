import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { sql } from '#src/kernel/sql/sql.ts'
import { sweepAuditLog } from '#src/moderation/audit-log/queries.ts'
import { sweepReports } from '#src/moderation/reports/sweeps.ts'
import { sweepAutomod } from '#src/moderation/screening/queries.ts'
import { CAUGHT, trySending, wordRule } from '#test/scenes/automod.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { reportMessage } from '#test/scenes/reports.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const OLD_ID = '01800000-0000-7000-8000-000000000000'

let server: TestServer
let ada: Person
let owner: Person
let member: Person
let author: Person

before(async () => {
  server = await startTestServer()
  ada = await createOperator(server, 'ada')
  owner = await createPerson(server, 'owner')
  member = await createPerson(server, 'member')
  author = await createPerson(server, 'author')
})
after(() => server.close())

/** Makes an entry of the audit log, a closed report, a hit and a held message, all of long ago. */
async function makeOldRows(space: TestSpace): Promise<void> {
  const { database } = server.deps
  const { id } = await author.client.messages.create(space.general, { content: 'rude' })
  await reportMessage(member, space.general, id)
  await wordRule(owner, space, { action: 'hold' })
  assert.equal(await trySending(member, space.general, CAUGHT), 'held_for_review')
  const day = '181 days'
  await database.execute(sql`
    update reports set state = 'closed', closed_at = now() - ${day}::interval where queue_id = ${space.id}`)
  await database.execute(sql`
    update audit_log set id = ${OLD_ID} where space_id = ${space.id} and action = 'space_create'`)
  await database.execute(sql`update automod_hits set id = ${OLD_ID} where space_id = ${space.id}`)
  await database.execute(sql`update held_messages set id = ${OLD_ID} where space_id = ${space.id}`)
}

async function sweepAndCount({ id }: TestSpace) {
  const { database } = server.deps
  await sweepAuditLog(database)
  await sweepReports(database)
  await sweepAutomod(database)
  const [counts] = await database.query(sql`
    select (select count(*) from audit_log where space_id = ${id} and id = ${OLD_ID}) as entries,
      (select count(*) from reports where queue_id = ${id}) as reports,
      (select count(*) from automod_hits where space_id = ${id}) as hits,
      (select count(*) from held_messages where space_id = ${id}) as held`)
  return counts
}

test('ERASE-7: in a held space, the audit log, reports and what automod caught outlive their time', async () => {
  const space = await makeSpace(owner, [member, author])
  await makeOldRows(space)
  await ada.client.api(Administration).holdSpace(space.id)
  assert.deepEqual(await sweepAndCount(space), { entries: 1, reports: 1, hits: 1, held: 1 })
  await ada.client.api(Administration).releaseSpace(space.id)
  assert.deepEqual(await sweepAndCount(space), { entries: 0, reports: 0, hits: 0, held: 0 })
})
