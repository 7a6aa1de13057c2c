import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { sweepInvites } from './jobs.ts'

let server: TestServer
let owner: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner)
})

/** Inserts invites that expired a while ago. */
async function insertExpired(count: number): Promise<void> {
  await server.deps.database.execute(sql`
    insert into invites (space_id, id, code, room_id, inviter_id, max_age, expires_at)
    select ${space.id}, gen_random_uuid(), 'old' || n, ${space.general}, ${owner.id}, 1, now() - interval '1 second'
    from generate_series(1, ${count}::integer) n`)
}

async function listCodes(): Promise<string[]> {
  const rows = await server.deps.database.query<{ code: string }>(
    sql`select code from invites where space_id = ${space.id} order by code`,
  )
  return rows.map(({ code }) => code)
}

test('INVITE-10: all expired invites are deleted at once, however many, and no working ones', async () => {
  const working = [
    await owner.client.invites.create(space.id, space.general),
    await owner.client.invites.create(space.id, space.general, { max_age: 60 }),
  ]
  await insertExpired(12_000)
  await sweepInvites(server.deps.database)
  assert.deepEqual(await listCodes(), working.map(({ code }) => code).toSorted())
})

test('INVITE-10: a locked expired invite waits for the next run, and the others do not', async () => {
  await insertExpired(3)
  const lock = await holdLock(server, sql`select from invites where code = 'old2' for update`)
  await sweepInvites(server.deps.database)
  assert.deepEqual(await listCodes(), ['old2'])
  await lock.release()
  await sweepInvites(server.deps.database)
  assert.deepEqual(await listCodes(), [])
})
