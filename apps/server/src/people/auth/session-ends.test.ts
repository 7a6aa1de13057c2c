import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CloseCode } from '@foyer/protocol/gateway'
import { upkeepJobs } from '#src/jobs/upkeep.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { identify, openSession } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { logIn, signIn, statusOf } from '#test/scenes/accounts.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { recordSessionEnds } from '#test/session-ends.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

const sweep = () => upkeepJobs(server.deps).handlers.sweep?.({})

async function countSessions(userId: string): Promise<number> {
  const rows = await server.deps.database.query(sql`select from sessions where user_id = ${userId}`)
  return rows.length
}

async function insertSessions(userId: string, count: number): Promise<void> {
  await server.deps.database.execute(sql`
    insert into sessions (id, user_id, expires_at)
    select gen_random_uuid(), ${userId}, now() + interval '1 day' from generate_series(1, ${count}::integer)`)
}

test('AUTH-10: upkeep deletes expired sessions, with everything that depends on them', async () => {
  const { user } = await signIn(server, 'ann')
  const [ended, going] = [await openSession(server, user.id), await openSession(server, user.id)]
  const [client, other] = [await identify(server, ended), await identify(server, going)]
  await server.deps.database.execute(sql`
    update sessions set expires_at = now() where id = ${ended.sessionId}`)
  const ends = recordSessionEnds(server)
  await sweep()
  assert.deepEqual(ends, [topicOf.account(user.id), topicOf.session(ended.sessionId)])
  assert.equal(await client.closed, CloseCode.SessionEnded)
  await other.settle()
  other.close()
  assert.equal(await countSessions(user.id), 2)
})

test('AUTH-10: all expired sessions are deleted at once, however many there are', async () => {
  const { user } = await signIn(server, 'bea')
  await server.deps.database.execute(sql`
    insert into sessions (id, user_id, expires_at)
    select gen_random_uuid(), ${user.id}, now() - interval '1 second' from generate_series(1, 1200)`)
  const ends = recordSessionEnds(server)
  await sweep()
  assert.equal(await countSessions(user.id), 1)
  assert.equal(ends.filter(({ kind }) => kind === 'session').length, 1200)
})

test('AUTH-29: a login beyond a hundred sessions ends only the one used longest ago', async () => {
  const { user } = await signIn(server, 'cleo')
  const oldest = await openSession(server, user.id)
  await insertSessions(user.id, 97)
  const client = await identify(server, oldest)
  await logIn(server, 'cleo')
  assert.equal(await countSessions(user.id), 100)
  await client.settle()
  await server.deps.database.execute(sql`
    update sessions set last_used_at = now() + interval '1 hour'
    where user_id = ${user.id} and id <> ${oldest.sessionId}`)
  const here = await logIn(server, 'cleo')
  assert.equal(await client.closed, CloseCode.SessionEnded)
  assert.equal(await statusOf(server, here), 200)
  assert.equal(await countSessions(user.id), 100)
})

test('AUTH-29: simultaneous logins leave at most a hundred sessions, and ended ones do not count', async () => {
  const { user } = await signIn(server, 'dora')
  await insertSessions(user.id, 99)
  await server.deps.database.execute(sql`
    insert into sessions (id, user_id, expires_at) values (gen_random_uuid(), ${user.id}, now())`)
  const lock = await holdLock(server, sql`select from users where id = ${user.id} for no key update`)
  const logins = Promise.all([logIn(server, 'dora'), logIn(server, 'dora')])
  await lock.waitForBlocked(2)
  await lock.release()
  for (const tokens of await logins) assert.equal(await statusOf(server, tokens), 200)
  assert.equal(await countSessions(user.id), 101, 'a hundred, and the one that upkeep will delete')
})
