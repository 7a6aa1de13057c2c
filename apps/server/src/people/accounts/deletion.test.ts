import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LoginResult } from '@foyer/protocol/auth'
import type { User } from '@foyer/protocol/users'
import { Client } from '@foyer/sdk/client'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { awaitMail, tokenIn } from '#test/outside/mailbox.ts'
import {
  credentialOf,
  emailOf,
  logIn,
  send,
  signIn,
  statusOf,
  tryLogin,
  tryRefresh,
} from '#test/scenes/accounts.ts'
import { createPerson } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'
import { recordSessionEnds } from '#test/session-ends.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

function deleteAccount(tokens: LoginResult, password = TEST_PASSWORD) {
  return send(server, 'DELETE', '/api/users/@me', { headers: credentialOf(tokens), body: { password } })
}

test('USER-6: a deleted account is signed out everywhere, cannot log in, and is shown under an anonymous name', async () => {
  const [here, elsewhere] = [await signIn(server, 'ann'), await logIn(server, 'ann')]
  const client = new Client({ baseUrl: server.url, tokens: here })
  await client.users.updateMe({ alias: 'Ann', custom: 'hi', birthdate: '2000-01-01', phone: '+123456789' })
  const ends = recordSessionEnds(server)
  const answer = await deleteAccount(here)
  assert.equal(answer.status, 204)
  assert.equal(ends.length, 3)
  for (const tokens of [here, elsewhere]) {
    assert.equal(await statusOf(server, tokens), 401)
    assert.equal((await tryRefresh(server, tokens)).status, 401)
  }
  assert.equal((await tryLogin(server, emailOf('ann'))).status, 401)
  const viewer = await createPerson(server, 'viewer')
  const user: User = await viewer.client.users.get(here.user.id)
  assert.match(user.username, /^deleted_[0-9a-f]{24}$/)
  assert.ok(user.deleted_at !== null)
  const { id, created_at } = here.user
  const { username, updated_at, deleted_at } = user
  const rest = { alias: null, avatar: null, banner: null, custom: '', flags: 0, badges: 0 }
  const facts = { is_bot: false, email_verified: false }
  assert.deepEqual(user, { id, created_at, username, updated_at, deleted_at, ...rest, ...facts })
  const [row] = await server.deps.database.query<{ row: string }>(
    sql`select users::text as row from users where id = ${id}`,
  )
  assert.doesNotMatch(row?.row ?? '', /ann|Ann|argon2|2000-01-01|123456789/)
})

test('USER-6: the username and the email address are free again', async () => {
  await deleteAccount(await signIn(server, 'bea'))
  const again = await signIn(server, 'bea')
  assert.equal(again.user.username, 'bea')
})

test('USER-6: mailed links of a deleted account do nothing', async () => {
  const tokens = await signIn(server, 'cleo')
  const token = tokenIn(await awaitMail(server, emailOf('cleo'), { subject: 'Verify' }))
  await deleteAccount(tokens)
  const answer = await send(server, 'POST', '/api/auth/verify', { body: { token } })
  assert.equal(answer.status, 400)
})

test('USER-6: spaces receive the new name and the end of the membership, and count one member less', async () => {
  const owner = await createPerson(server, 'owner')
  const { space, rooms } = await owner.client.spaces.create({ name: 'Club' })
  const { code } = await owner.client.invites.create(space.id, rooms[1]?.id ?? '')
  const tokens = await signIn(server, 'dora')
  const client = new Client({ baseUrl: server.url, tokens })
  await client.invites.join(code)
  assert.equal((await owner.client.invites.get(code)).member_count, 2)
  await deleteAccount(tokens)
  const heard = (await listJournal(server, topicOf.space(space.id))).slice(-2)
  assert.deepEqual(
    heard.map(({ name }) => name),
    ['USER_UPDATE', 'SPACE_MEMBER_DELETE'],
  )
  assert.match(JSON.stringify(heard[0]?.data), /deleted_/)
  assert.deepEqual(heard[1]?.data, {
    space_id: space.id,
    user_id: tokens.user.id,
    member_count: 1,
  })
  assert.deepEqual(
    (await owner.client.members.list(space.id)).map(({ id }) => id),
    [owner.id],
  )
  assert.equal((await owner.client.invites.get(code)).member_count, 1)
})

test('USER-6: a wrong or missing password deletes nothing', async () => {
  const tokens = await signIn(server, 'emma')
  const wrong = await deleteAccount(tokens, 'wrong password')
  assert.equal(wrong.status, 400)
  assert.deepEqual(wrong.body, { error: 'password is wrong' })
  const none = await send(server, 'DELETE', '/api/users/@me', { headers: credentialOf(tokens), body: {} })
  assert.equal(none.status, 400)
  const nothing = await send(server, 'DELETE', '/api/users/@me', { headers: credentialOf(tokens) })
  assert.equal(nothing.status, 400)
  assert.equal(await statusOf(server, tokens), 200)
})

test('USER-7: an owner of a space must transfer it first, and nothing is half deleted', async () => {
  const tokens = await signIn(server, 'fay')
  const client = new Client({ baseUrl: server.url, tokens })
  const { space } = await client.spaces.create({ name: 'Mine' })
  const answer = await deleteAccount(tokens)
  assert.equal(answer.status, 400)
  assert.equal(answer.code, 'owns_spaces')
  assert.deepEqual(await client.users.me(), tokens.user)
  assert.equal((await client.spaces.get(space.id)).owner_id, tokens.user.id)
  await server.deps.database.execute(sql`update spaces set deleted_at = now() where id = ${space.id}`)
  assert.equal((await deleteAccount(tokens)).status, 204)
})

test('USER-6: one of several simultaneous deletions succeeds', async () => {
  const tokens = await signIn(server, 'gina')
  const answers = await Promise.all([deleteAccount(tokens), deleteAccount(tokens)])
  const statuses = answers.map(({ status }) => status).sort()
  assert.equal(statuses[0], 204)
  assert.ok(statuses[1] === 400 || statuses[1] === 401, `${statuses}`)
})
