import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LoginResult } from '@foyer/protocol/auth'
import { upkeepJobs } from '#src/jobs/upkeep.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { awaitJobs, awaitMail, tokenIn } from '#test/outside/mailbox.ts'
import { codeOf, credentialOf, emailOf, send, signIn } from '#test/scenes/accounts.ts'
import { changeFactors, codeAt, turnOnApp } from '#test/scenes/second-factors.ts'
import { startOwnServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

const NEW_PASSWORD = 'a wholly new password'
const THIEVES_PASSWORD = 'the password of a thief'

let server: TestServer

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

const find = (token: string) => send(server, 'POST', '/api/auth/way-back/find', { body: { token } })
const take = (token: string) =>
  send(server, 'POST', '/api/auth/way-back', { body: { token, password: NEW_PASSWORD } })
const changed = (username: string, subject: string) => awaitMail(server, emailOf(username), { subject })
const wayBackOf = async (username: string, subject: string) => tokenIn(await changed(username, subject))

async function changePassword(tokens: LoginResult, from: string, to: string): Promise<void> {
  const body = { password: from, new_password: to }
  const headers = credentialOf(tokens)
  assert.equal((await send(server, 'PATCH', '/api/users/@me/password', { headers, body })).status, 204)
}

test('WAYBACK-8: only hashes and sealed secrets are stored, for a week, and they go with the account', async () => {
  const tokens = await signIn(server, 'june')
  const { secret, codes } = await turnOnApp(server, tokens)
  await changeFactors(server, tokens, ['POST', '/recovery-codes'], codes[0] ?? '')
  const token = await wayBackOf('june', 'New recovery codes')
  const stored = async () =>
    JSON.stringify(
      await server.deps.database.query(sql`
        select account_snapshots::text as row, encode(secret, 'escape') as secret
        from account_snapshots where user_id = ${tokens.user.id}`),
    )
  const text = await stored()
  for (const plain of [secret, token, ...codes]) assert.ok(!text.includes(plain))
  await server.deps.database.execute(sql`
    update account_snapshots set expires_at = now() where user_id = ${tokens.user.id}`)
  assert.deepEqual(await codeOf(find(token)), [400, 'invalid_token'])
  assert.deepEqual(await codeOf(take(token)), [400, 'invalid_token'])
  await upkeepJobs(server.deps).handlers.sweep?.({})
  const kept = sql`select change from account_snapshots where user_id = ${tokens.user.id}`
  assert.deepEqual(await server.deps.database.query(kept), [])
  const other = await signIn(server, 'jill')
  await changePassword(other, TEST_PASSWORD, NEW_PASSWORD)
  const body = { password: NEW_PASSWORD }
  await send(server, 'DELETE', '/api/users/@me', { headers: credentialOf(other), body })
  await awaitJobs(server)
  const left = sql`select from account_snapshots where user_id = ${other.user.id}`
  assert.deepEqual(await server.deps.database.query(left), [])
})

test('WAYBACK-8: codes that were used since do not count again', async () => {
  const tokens = await signIn(server, 'kim')
  const { secret, codes } = await turnOnApp(server, tokens)
  await changed('kim', 'Two-step login was turned on')
  const [used = '', other = '', third = ''] = codes
  await send(server, 'PATCH', '/api/users/@me/password', {
    headers: credentialOf(tokens),
    body: { password: TEST_PASSWORD, new_password: THIEVES_PASSWORD, code: used },
  })
  const token = await wayBackOf('kim', 'Your password was changed')
  const log = (password: string, code: string) =>
    send(server, 'POST', '/api/auth/login', { body: { email: 'kim', password, code } })
  const appCode = codeAt(secret, 1)
  for (const code of [other, appCode]) assert.equal((await log(THIEVES_PASSWORD, code)).status, 200)
  assert.equal((await take(token)).status, 204)
  for (const code of [used, other, appCode])
    assert.deepEqual(await codeOf(log(NEW_PASSWORD, code)), [401, 'invalid_code'])
  assert.equal((await log(NEW_PASSWORD, third)).status, 200)
})
