import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LoginResult } from '@foyer/protocol/auth'
import { CloseCode } from '@foyer/protocol/gateway'
import { Administration } from '@foyer/sdk/api/administration'
import { WayBacks } from '@foyer/sdk/api/way-backs'
import { Client } from '@foyer/sdk/client'
import { sql } from '#src/kernel/sql/sql.ts'
import { identify, openSession } from '#test/gateway-client.ts'
import { awaitMail, listMails, tokenIn } from '#test/outside/mailbox.ts'
import {
  codeOf,
  credentialOf,
  emailOf,
  logIn,
  send,
  signIn,
  statusOf,
  tryLogin,
} from '#test/scenes/accounts.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createPerson } from '#test/scenes/people.ts'
import { changeFactors, codeAt, turnOnApp } from '#test/scenes/second-factors.ts'
import { startOwnServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

const NEW_PASSWORD = 'a wholly new password'
const THIEVES_PASSWORD = 'the password of a thief'
const DAY_MS = 24 * 60 * 60 * 1000

let server: TestServer

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

const find = (token: unknown) => send(server, 'POST', '/api/auth/way-back/find', { body: { token } })
const take = (token: unknown, password: unknown = NEW_PASSWORD) =>
  send(server, 'POST', '/api/auth/way-back', { body: { token, password } })
const changed = (username: string, subject: string, count = 1) =>
  awaitMail(server, emailOf(username), { subject, count })
const wayBackOf = async (username: string, subject: string, count = 1) =>
  tokenIn(await changed(username, subject, count))

async function changePassword(tokens: LoginResult, from: string, to: string): Promise<void> {
  const body = { password: from, new_password: to }
  const headers = { ...credentialOf(tokens), 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' }
  assert.equal((await send(server, 'PATCH', '/api/users/@me/password', { headers, body })).status, 204)
}

async function changeEmail(tokens: LoginResult, email: string, password = TEST_PASSWORD): Promise<void> {
  const request = { headers: credentialOf(tokens), body: { email, password } }
  assert.equal((await send(server, 'POST', '/api/auth/change-email/send', request)).status, 204)
  const token = tokenIn(await awaitMail(server, email, { subject: 'Confirm' }))
  assert.equal((await send(server, 'POST', '/api/auth/change-email', { body: { token } })).status, 204)
}

const changesIn = (body: unknown): string[] => {
  const { changes = [] }: { changes?: { change: string }[] } = Object(body)
  return changes.map(({ change }) => change)
}

test('WAYBACK-1: a new password is mailed, with device, address, time and a link', async () => {
  const tokens = await signIn(server, 'ann')
  await changePassword(tokens, TEST_PASSWORD, 'another good password')
  const mail = await changed('ann', 'Your password was changed')
  const year = new Date().getUTCFullYear()
  assert.match(
    mail,
    new RegExp(`on \\d+ \\w+ ${year} at \\d\\d:\\d\\d UTC with Firefox on Windows, from the address `),
  )
  assert.match(mail, /\/way-back\?token=/)
  await send(server, 'POST', '/api/auth/forgot-password', { body: { email: emailOf('ann') } })
  const token = tokenIn(await changed('ann', 'Set a new'))
  const body = { token, password: 'a third good password' }
  assert.equal((await send(server, 'POST', '/api/auth/reset-password', { body })).status, 204)
  assert.match(await changed('ann', 'Your password was changed', 2), /by a link that was mailed to you/)
})

test('WAYBACK-1: a new address is mailed to the old one, and each change of the second factor to the account', async () => {
  const tokens = await signIn(server, 'bea')
  const first = await turnOnApp(server, tokens)
  await changed('bea', 'Two-step login was turned on')
  const second = await turnOnApp(server, tokens, codeAt(first.secret, 0))
  await changed('bea', 'Your authenticator app was replaced')
  await changeFactors(server, tokens, ['POST', '/recovery-codes'], codeAt(second.secret, 0))
  await changed('bea', 'New recovery codes')
  await changeFactors(server, tokens, ['DELETE', '/totp'], codeAt(second.secret, 1))
  await changed('bea', 'Two-step login was turned off')
  await changeEmail(tokens, 'bea@new.example')
  const token = await wayBackOf('bea', 'Your email address was changed')
  assert.deepEqual(changesIn((await find(token)).body), ['email_changed'])
  assert.equal((await listMails(server, 'bea@new.example')).length, 1)
})

test('WAYBACK-2: the link shows the change and all later ones, and changes nothing', async () => {
  const tokens = await signIn(server, 'cleo')
  await turnOnApp(server, tokens)
  await changed('cleo', 'Two-step login was turned on')
  const first = await wayBackOf('cleo', 'Two-step login was turned on')
  const body = { password: TEST_PASSWORD, new_password: NEW_PASSWORD }
  const refused = await send(server, 'PATCH', '/api/users/@me/password', {
    headers: credentialOf(tokens),
    body,
  })
  assert.equal(refused.code, 'code_required')
  await server.deps.database.execute(sql`delete from totp where user_id = ${tokens.user.id}`)
  await changePassword(tokens, TEST_PASSWORD, NEW_PASSWORD)
  const second = await wayBackOf('cleo', 'Your password was changed')
  for (let count = 0; count < 2; count += 1) {
    assert.deepEqual(changesIn((await find(first)).body), ['second_factor_on', 'password_changed'])
    assert.deepEqual(changesIn((await find(second)).body), ['password_changed'])
  }
  const { username, changes, expires_at } = await new Client({ baseUrl: server.url })
    .api(WayBacks)
    .find({ token: second })
  assert.equal(username, 'cleo')
  assert.match(changes[0]?.device ?? '', /Firefox/)
  assert.ok(changes[0]?.address)
  assert.equal(Math.round((Date.parse(expires_at) - Date.now()) / DAY_MS), 7)
  assert.equal(await statusOf(server, tokens), 200)
  assert.equal(
    (await server.fetch(`/way-back?token=${second}`, { headers: { accept: 'text/html' } })).status,
    200,
  )
  assert.equal((await tryLogin(server, 'cleo', NEW_PASSWORD)).status, 200)
})

test('WAYBACK-3: taking back restores address and second factor, sets the password, and ends everything', async () => {
  const tokens = await signIn(server, 'dora')
  const own = await turnOnApp(server, tokens)
  await changed('dora', 'Two-step login was turned on')
  await changeFactors(server, tokens, ['DELETE', '/totp'], own.codes[0] ?? '')
  const token = await wayBackOf('dora', 'Two-step login was turned off')
  const theirs = await turnOnApp(server, tokens)
  await changeFactors(server, tokens, ['DELETE', '/totp'], codeAt(theirs.secret, 0))
  await changeEmail(tokens, 'thief@new.example')
  await changePassword(tokens, TEST_PASSWORD, THIEVES_PASSWORD)
  const session = await openSession(server, tokens.user.id)
  const connection = await identify(server, session)
  assert.equal((await take(token)).status, 204)
  assert.equal(await connection.closed, CloseCode.SessionEnded)
  assert.equal(await statusOf(server, tokens), 401)
  assert.deepEqual(await codeOf(tryLogin(server, 'dora', THIEVES_PASSWORD)), [401, 'invalid_login'])
  assert.deepEqual(await codeOf(tryLogin(server, 'thief@new.example', NEW_PASSWORD)), [401, 'invalid_login'])
  assert.deepEqual(await codeOf(tryLogin(server, emailOf('dora'), NEW_PASSWORD)), [
    401,
    'second_factor_required',
  ])
  const log = (code: string | undefined) =>
    send(server, 'POST', '/api/auth/login', { body: { email: 'dora', password: NEW_PASSWORD, code } })
  assert.deepEqual(await codeOf(log(own.codes[0])), [401, 'invalid_code'])
  assert.equal((await log(own.codes[1])).status, 200)
  assert.equal((await log(codeAt(own.secret, 1))).status, 200)
  await changed('dora', 'Changes were undone')
  await awaitMail(server, 'thief@new.example', { subject: 'Your email address was changed' })
})

test('WAYBACK-3: links that were mailed before no longer work', async () => {
  const tokens = await signIn(server, 'emma')
  await changePassword(tokens, TEST_PASSWORD, THIEVES_PASSWORD)
  const token = await wayBackOf('emma', 'Your password was changed')
  const request = {
    headers: credentialOf(tokens),
    body: { email: 'eve@new.example', password: THIEVES_PASSWORD },
  }
  await send(server, 'POST', '/api/auth/change-email/send', request)
  const late = tokenIn(await awaitMail(server, 'eve@new.example', { subject: 'Confirm' }))
  assert.equal((await take(token)).status, 204)
  const answer = send(server, 'POST', '/api/auth/change-email', { body: { token: late } })
  assert.deepEqual(await codeOf(answer), [400, 'invalid_token'])
})

test('WAYBACK-3: a change of the intruder at the same time is taken back, too, or refused', async () => {
  const tokens = await signIn(server, 'mia')
  await changePassword(tokens, TEST_PASSWORD, THIEVES_PASSWORD)
  const token = await wayBackOf('mia', 'Your password was changed')
  await send(server, 'POST', '/api/auth/forgot-password', { body: { email: emailOf('mia') } })
  await changed('mia', 'Set a new')
  const body = { password: THIEVES_PASSWORD, new_password: 'a second password of a thief' }
  const [taken] = await Promise.all([
    take(token),
    send(server, 'PATCH', '/api/users/@me/password', { headers: credentialOf(tokens), body }),
  ])
  assert.equal(taken.status, 204)
  assert.equal((await tryLogin(server, 'mia', NEW_PASSWORD)).status, 200)
  assert.equal(await statusOf(server, tokens), 401)
})

test('WAYBACK-4: a link works once, also if it is used twice at once, and ends the later ones only', async () => {
  const tokens = await signIn(server, 'fay')
  await changePassword(tokens, TEST_PASSWORD, 'password number two')
  const first = await wayBackOf('fay', 'Your password was changed')
  await changePassword(tokens, 'password number two', 'password number three')
  const second = await wayBackOf('fay', 'Your password was changed', 2)
  await changePassword(tokens, 'password number three', 'password number four')
  const third = await wayBackOf('fay', 'Your password was changed', 3)
  const answers = await Promise.all([take(second), take(second)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 400])
  for (const used of [second, third]) assert.deepEqual(await codeOf(find(used)), [400, 'invalid_token'])
  assert.equal((await take(first, 'password number five')).status, 204)
  assert.equal((await tryLogin(server, 'fay', 'password number five')).status, 200)
})

test('WAYBACK-5: if another account has the former address now, nothing changes', async () => {
  const tokens = await signIn(server, 'gina')
  await changeEmail(tokens, 'gina@new.example')
  const token = await wayBackOf('gina', 'Your email address was changed')
  await send(server, 'POST', '/api/auth/signin', {
    body: { username: 'other.gina', email: emailOf('gina'), password: TEST_PASSWORD },
  })
  assert.deepEqual(await codeOf(take(token)), [409, 'former_email_taken'])
  assert.equal(await statusOf(server, tokens), 200)
  assert.equal((await tryLogin(server, 'gina@new.example')).status, 200)
  assert.equal((await find(token)).status, 200)
})

test('WAYBACK-6: a locked account stays locked, and the link waits for the end of the lock', async () => {
  const operator = (await createOperator(server, 'operator')).client.api(Administration)
  const tokens = await signIn(server, 'hana')
  await changePassword(tokens, TEST_PASSWORD, THIEVES_PASSWORD)
  const token = await wayBackOf('hana', 'Your password was changed')
  await operator.lockUser(tokens.user.id, {})
  assert.deepEqual(await codeOf(take(token)), [403, 'account_locked'])
  await operator.unlockUser(tokens.user.id)
  assert.equal((await tryLogin(server, 'hana', THIEVES_PASSWORD)).status, 200)
  assert.equal((await take(token)).status, 204)
  assert.equal((await tryLogin(server, 'hana', NEW_PASSWORD)).status, 200)
})

test('WAYBACK-7: what operators turn off for somebody is mailed without a link, and stays off', async () => {
  const operator = (await createOperator(server, 'operator2')).client.api(Administration)
  const tokens = await signIn(server, 'ina')
  const { codes } = await turnOnApp(server, tokens)
  await changeFactors(server, tokens, ['POST', '/recovery-codes'], codes[0] ?? '')
  const token = await wayBackOf('ina', 'New recovery codes')
  await operator.removeSecondFactor(tokens.user.id)
  assert.doesNotMatch(await changed('ina', 'Two-step login was turned off'), /way-back/)
  assert.equal((await take(token)).status, 204)
  assert.equal((await tryLogin(server, 'ina', NEW_PASSWORD)).status, 200)
})

test('WAYBACK-9: bad input is refused and changes nothing; whoever is logged in may use the link', async () => {
  const tokens = await signIn(server, 'lena')
  await changePassword(tokens, TEST_PASSWORD, THIEVES_PASSWORD)
  const token = await wayBackOf('lena', 'Your password was changed')
  for (const given of [undefined, null, '', 1, 'x'.repeat(513)])
    for (const answer of [find(given), take(given)])
      assert.deepEqual(await codeOf(answer), [400, 'invalid_request'])
  for (const password of [null, '', 'short', 'x'.repeat(2000), 12345678])
    assert.deepEqual(await codeOf(take(token, password)), [400, 'invalid_request'])
  for (const unknown of ['unknown', `${token}x`, token.toUpperCase()])
    assert.deepEqual(await codeOf(take(unknown)), [400, 'invalid_token'])
  assert.equal((await logIn(server, 'lena', THIEVES_PASSWORD)).user.id, tokens.user.id)
  const stranger = await createPerson(server, 'stranger')
  const answer = await stranger.call('POST', '/api/auth/way-back', { token, password: NEW_PASSWORD })
  assert.equal(answer.status, 204)
})
