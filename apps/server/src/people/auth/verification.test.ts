import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CurrentUser } from '@foyer/protocol/users'
import { sql } from '#src/kernel/sql/sql.ts'
import { awaitJobs, awaitMail, listMails, tokenIn } from '#test/outside/mailbox.ts'
import { credentialOf, emailOf, send, signIn } from '#test/scenes/accounts.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

function verify(token: unknown) {
  return send(server, 'POST', '/api/auth/verify', { body: { token } })
}

type Tokens = Awaited<ReturnType<typeof signIn>>

function sendAgain(tokens: Tokens) {
  return send(server, 'POST', '/api/auth/verify/send', { headers: credentialOf(tokens) })
}

async function me(tokens: Tokens): Promise<CurrentUser> {
  const { text } = await send(server, 'GET', '/api/users/@me', { headers: credentialOf(tokens) })
  const user: CurrentUser = JSON.parse(text)
  return user
}

async function mailedToken(username: string, count = 1): Promise<string> {
  return tokenIn(await awaitMail(server, emailOf(username), { subject: 'Verify', count }))
}

test('AUTH-19: the mailed link verifies the address, once', async () => {
  const tokens = await signIn(server, 'ann')
  const token = await mailedToken('ann')
  assert.equal((await me(tokens)).email_verified, false)
  const answer = await verify(token)
  assert.equal(answer.status, 204)
  assert.equal(answer.text, '')
  assert.equal((await me(tokens)).email_verified, true)
  const again = await verify(token)
  assert.equal(again.status, 400)
  assert.deepEqual(again.body, { error: 'token is invalid or expired' })
})

test('AUTH-18: one of several simultaneous uses of a token works', async () => {
  await signIn(server, 'anna')
  const token = await mailedToken('anna')
  const answers = await Promise.all(Array.from({ length: 6 }, () => verify(token)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 400, 400, 400, 400, 400])
})

test('AUTH-18: a newer token replaces the previous one', async () => {
  const tokens = await signIn(server, 'bea')
  const first = await mailedToken('bea')
  assert.equal((await sendAgain(tokens)).status, 204)
  const second = await mailedToken('bea', 2)
  assert.notEqual(first, second)
  assert.equal((await verify(first)).status, 400)
  assert.equal((await verify(second)).status, 204)
})

test('AUTH-18: a verification token works for 24 hours', async () => {
  const tokens = await signIn(server, 'cleo')
  const token = await mailedToken('cleo')
  const rows = await server.deps.database.query<{ hours: number }>(sql`
    select round(extract(epoch from expires_at - now()) / 3600)::integer as hours from mail_tokens
    where user_id = ${tokens.user.id}`)
  assert.deepEqual(rows, [{ hours: 24 }])
  await server.deps.database.execute(
    sql`update mail_tokens set expires_at = now() where user_id = ${tokens.user.id}`,
  )
  assert.equal((await verify(token)).status, 400)
  assert.equal((await me(tokens)).email_verified, false)
})

test('AUTH-18: a token for one purpose works for no other', async () => {
  await signIn(server, 'dora')
  const token = await mailedToken('dora')
  const reset = { body: { token, password: 'another password' } }
  assert.equal((await send(server, 'POST', '/api/auth/reset-password', reset)).status, 400)
  assert.equal((await send(server, 'POST', '/api/auth/change-email', { body: { token } })).status, 400)
  assert.equal((await verify(token)).status, 204)
})

test('AUTH-19: a token for an address that is no longer the user’s verifies nothing', async () => {
  const tokens = await signIn(server, 'emma')
  const token = await mailedToken('emma')
  await server.deps.database.execute(
    sql`update users set email = 'emma2@example.org' where id = ${tokens.user.id}`,
  )
  assert.equal((await verify(token)).status, 400)
  assert.equal((await me(tokens)).email_verified, false)
})

test('AUTH-19: verify/send for an address that is already verified sends nothing', async () => {
  const tokens = await signIn(server, 'fay')
  await verify(await mailedToken('fay'))
  assert.equal((await sendAgain(tokens)).status, 204)
  await awaitJobs(server)
  assert.equal((await listMails(server, emailOf('fay'))).length, 1)
})

test('AUTH-18: the queue and the table contain only a token’s hash', async () => {
  const tokens = await signIn(server, 'gina')
  const [queued] = await server.deps.database.query<{ payloads: string | null }>(
    sql`select string_agg(payload::text, ' ') as payloads from graphile_worker._private_jobs`,
  )
  const token = await mailedToken('gina')
  assert.ok(!String(queued?.payloads).includes(token))
  const [stored] = await server.deps.database.query<{ row: string; hash: string }>(sql`
    select mail_tokens::text as row, encode(token_hash, 'hex') as hash from mail_tokens where user_id = ${tokens.user.id}`)
  assert.ok(!stored?.row.includes(token))
  assert.equal(stored?.hash.length, 64)
})

for (const token of ['', 'x'.repeat(513), 7, null, undefined]) {
  test(`AUTH-18: a token that is ${String(token).slice(0, 9) || 'empty'} is 400 with its message`, async () => {
    const answer = await verify(token)
    assert.equal(answer.status, 400)
    assert.match(answer.text, /token/)
  })
}
