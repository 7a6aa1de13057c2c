import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { UserFlag } from '@foyer/protocol/user-flags'
import { Administration } from '@foyer/sdk/api/administration'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { credentialOf, send, signIn } from '#test/scenes/accounts.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'
import { accessByCommandLine } from './access.ts'
import { revokeOperator } from './actions.ts'

let server: TestServer
let ada: Person
let count = 0

before(async () => {
  server = await startTestServer()
})
after(() => server.close())
beforeEach(async () => {
  count += 1
  await server.deps.database.execute(sql`delete from operators`)
  ada = await createOperator(server, `ada${count}`)
})

const newPerson = (name: string) => createPerson(server, `${name}${count}`)

async function listIds(person: Person): Promise<string[]> {
  return (await person.client.api(Administration).list()).map(({ user }) => user.id)
}

/** Every route of operators, each with a body that it would accept. */
function callsOf(id: string): [string, string, unknown?][] {
  return [
    ['GET', '/api/operator/operators'],
    ['PUT', `/api/operator/operators/${id}`],
    ['DELETE', `/api/operator/operators/${id}`],
    ['GET', '/api/operator/log'],
    ['GET', '/api/operator/users'],
    ['PUT', `/api/operator/users/${id}/lock`, {}],
    ['DELETE', `/api/operator/users/${id}/lock`],
    ['DELETE', `/api/operator/users/${id}`],
    ['GET', '/api/operator/spaces'],
    ['PUT', `/api/operator/spaces/${id}/freeze`, {}],
    ['DELETE', `/api/operator/spaces/${id}/freeze`],
    ['DELETE', `/api/operator/spaces/${id}`],
    ['GET', '/api/operator/registration'],
    ['PATCH', '/api/operator/registration', { mode: 'closed' }],
    ['GET', '/api/operator/registrations'],
    ['POST', `/api/operator/registrations/${id}/approve`],
    ['POST', `/api/operator/registrations/${id}/refuse`, {}],
    ['GET', '/api/operator/invites'],
    ['POST', '/api/operator/invites', {}],
    ['DELETE', `/api/operator/invites/${id}`],
  ]
}

test('OPERATOR-3: only operators may use their routes: no other account, no bot, nobody without an account', async () => {
  const [eve, victim] = [await newPerson('eve'), await newPerson('victim')]
  const bot = await createApplicationBot(server, ada, { name: `Helper ${count}` })
  for (const [method, path, body] of callsOf(victim.id)) {
    assert.equal((await eve.call(method, path, body)).code, 'operator_only', `${method} ${path}`)
    assert.equal((await bot.call(method, path, body)).code, 'bots_not_allowed', `${method} ${path}`)
    assert.equal((await send(server, method, path, body === undefined ? {} : { body })).status, 401)
  }
  assert.equal((await victim.client.users.me()).id, victim.id)
  assert.deepEqual(await listIds(ada), [ada.id])
  assert.equal((await eve.client.instance.get()).registration.mode, 'open')
})

test('OPERATOR-4: operators make others operators, who have the Staff flag and the same rights', async () => {
  const ben = await newPerson('ben')
  const gateway = await connect(server, ben)
  const granted = await ada.client.api(Administration).grant(ben.id)
  assert.deepEqual([granted.user.id, granted.granted_by], [ben.id, ada.id])
  assert.equal(granted.user.flags, UserFlag.Staff)
  assert.match((await gateway.findEvent('USER_UPDATE')).text, /"flags":1/)
  assert.equal((await ben.client.users.me()).flags, UserFlag.Staff)
  assert.deepEqual(await listIds(ben), [ada.id, ben.id])
  await ben.client.api(Administration).grant(ben.id)
  await ben.client.api(Administration).revoke(ada.id)
  assert.deepEqual(await listIds(ben), [ben.id])
  assert.equal((await ada.client.users.me()).flags, 0)
  await assert.rejects(ada.client.api(Administration).list(), { code: 'operator_only' })
  gateway.close()
})

test('OPERATOR-4: a bot, a locked account and a deleted one cannot become operators', async () => {
  const [eve, locked] = [await newPerson('eve'), await newPerson('locked')]
  const bot = await createApplicationBot(server, eve, { name: `Robot ${count}` })
  await ada.client.api(Administration).lockUser(locked.id)
  await assert.rejects(ada.client.api(Administration).grant(bot.id), { code: 'bots_cannot_operate' })
  await assert.rejects(ada.client.api(Administration).grant(locked.id), { code: 'account_locked' })
  await assert.rejects(ada.client.api(Administration).revoke(eve.id), { code: 'unknown_operator' })
  await ada.client.api(Administration).deleteUser(locked.id)
  await assert.rejects(ada.client.api(Administration).grant(locked.id), { code: 'unknown_user' })
  assert.deepEqual(await listIds(ada), [ada.id])
})

test('OPERATOR-5: the last operator stays: revoking, locking and deleting them is refused', async () => {
  await newPerson('eve')
  const operator = ada.client.api(Administration)
  await assert.rejects(operator.revoke(ada.id), { status: 409, code: 'last_operator' })
  await assert.rejects(operator.lockUser(ada.id), { code: 'last_operator' })
  await assert.rejects(operator.deleteUser(ada.id), { code: 'last_operator' })
  assert.deepEqual(await listIds(ada), [ada.id])
  const ben = await newPerson('ben')
  await operator.grant(ben.id)
  await operator.lockUser(ben.id)
  assert.deepEqual(await listIds(ada), [ada.id])
  await operator.unlockUser(ben.id)
  assert.deepEqual(await listIds(ada), [ada.id], 'unlocking gives no rights back')
})

test('OPERATOR-5: of two operators who revoke each other at once, one stays', async () => {
  const ben = await newPerson('ben')
  await ada.client.api(Administration).grant(ben.id)
  const lock = await holdLock(
    server,
    sql`select pg_advisory_xact_lock(hashtextextended('foyer operators', 0))`,
  )
  const both = Promise.allSettled([
    ada.client.api(Administration).revoke(ben.id),
    ben.client.api(Administration).revoke(ada.id),
  ])
  await lock.waitForBlocked(2)
  await lock.release()
  const results = await both
  assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const [left] = await server.deps.database.query<{ count: number }>(sql`select count(*) from operators`)
  assert.equal(left?.count, 1)
})

test('OPERATOR-5: of the last two operators, whom the command line revokes at once, one stays', async () => {
  const ben = await newPerson('ben')
  await ada.client.api(Administration).grant(ben.id)
  const lock = await holdLock(
    server,
    sql`select pg_advisory_xact_lock(hashtextextended('foyer operators', 0))`,
  )
  const revoke = (id: string) => revokeOperator(server.deps, accessByCommandLine(null), id)
  const both = Promise.allSettled([revoke(ada.id), revoke(ben.id)])
  await lock.waitForBlocked(2)
  await lock.release()
  const results = await both
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
  assert.deepEqual(refused, ['last_operator'])
})

test('OPERATOR-5: the last operator may delete their own account; a new link makes the next one', async () => {
  await server.deps.database.execute(sql`delete from operators`)
  const tokens = await signIn(server, `zoe${count}`)
  await server.deps.database.execute(sql`insert into operators (user_id) values (${tokens.user.id})`)
  const answer = await send(server, 'DELETE', '/api/users/@me', {
    headers: credentialOf(tokens),
    body: { password: TEST_PASSWORD },
  })
  assert.equal(answer.status, 204)
  assert.equal((await ada.client.instance.get()).awaits_operator, true)
  const link = await readFile(join(server.dataDir, 'operator-link'), 'utf8')
  const operator = await ada.client.api(Administration).claim(new URL(link.trim()).hash.slice(1))
  assert.equal(operator.user.id, ada.id)
})

test('OPERATOR-6: the log has every action with its actor, target and reason, newest first, in pages', async () => {
  const [eve, ben] = [await newPerson('eve'), await newPerson('ben')]
  const operator = ada.client.api(Administration)
  await operator.grant(ben.id, { reason: 'helps out' })
  await operator.lockUser(eve.id, { reason: 'spam' })
  await operator.unlockUser(eve.id)
  await operator.revoke(ben.id)
  const { entries, users } = await operator.log({ limit: 4 })
  assert.deepEqual(
    entries.map(({ action, actor_id, target_id, target_name, reason }) => [
      action,
      actor_id,
      target_id,
      target_name,
      reason,
    ]),
    [
      ['operator_revoke', ada.id, ben.id, `ben${count}`, null],
      ['user_unlock', ada.id, eve.id, `eve${count}`, null],
      ['user_lock', ada.id, eve.id, `eve${count}`, 'spam'],
      ['operator_grant', ada.id, ben.id, `ben${count}`, 'helps out'],
    ],
  )
  assert.deepEqual(users.map(({ id }) => id).sort(), [ada.id, ben.id, eve.id].sort())
  const [first, second] = [await operator.log({ limit: 1 }), await operator.log({ limit: 4 })]
  const next = await operator.log({ before_id: first.entries[0]?.id ?? '', limit: 3 })
  assert.deepEqual(next.entries, second.entries.slice(1))
  const ofEve = await operator.log({ target_id: eve.id, action: 'user_lock' })
  assert.deepEqual(
    ofEve.entries.map(({ action }) => action),
    ['user_lock'],
  )
})

test('OPERATOR-6: an action that is refused, or changes nothing, is not in the log', async () => {
  const eve = await newPerson('eve')
  const operator = ada.client.api(Administration)
  await operator.unlockUser(eve.id)
  await operator.grant(ada.id)
  await assert.rejects(operator.revoke(ada.id))
  assert.deepEqual((await operator.log({ target_id: eve.id })).entries, [])
  assert.deepEqual((await operator.log({ target_id: ada.id })).entries, [])
})
