import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { upkeepJobs } from '#src/jobs/upkeep.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { awaitJobs, awaitMail, listMails, tokenIn } from '#test/outside/mailbox.ts'
import {
  credentialOf,
  emailOf,
  type RawAnswer,
  send,
  signIn,
  statusOf,
  tryLogin,
} from '#test/scenes/accounts.ts'
import { startOwnServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const NEWER_FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:147.0) Gecko/20100101 Firefox/147.0'
const NEW_PASSWORD = 'a wholly new password'

let server: TestServer

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

function logIn(
  username: string,
  headers: Record<string, string>,
  password = TEST_PASSWORD,
): Promise<RawAnswer> {
  return send(server, 'POST', '/api/auth/login', { body: { email: username, password }, headers })
}

/** Counts the mails about new devices, once all that were queued are sent. */
async function countMails(username: string): Promise<number> {
  await awaitJobs(server)
  const mails = await listMails(server, emailOf(username))
  return mails.filter((mail) => mail.includes('Subject: New sign-in')).length
}

test('DEVICE-1: a login with a new device is mailed, and its link ends all sessions', async () => {
  const tokens = await signIn(server, 'ann')
  assert.equal((await logIn('ann', { 'user-agent': FIREFOX })).status, 200)
  const mail = await awaitMail(server, emailOf('ann'), { subject: 'New sign-in' })
  assert.match(mail, /UTC with Firefox on Windows, from the address (127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)\./)
  const body = { token: tokenIn(mail), password: NEW_PASSWORD }
  assert.equal((await send(server, 'POST', '/api/auth/way-back', { body })).status, 204)
  assert.equal(await statusOf(server, tokens), 401)
  assert.equal((await tryLogin(server, 'ann')).status, 401)
  assert.equal((await tryLogin(server, 'ann', NEW_PASSWORD)).status, 200)
})

test('DEVICE-2: signing up, another version of a known browser, and a client with a session are not mailed', async () => {
  const { session_token } = await signIn(server, 'bea')
  assert.equal((await tryLogin(server, 'bea')).status, 200)
  assert.equal((await logIn('bea', { 'user-agent': FIREFOX, 'x-session-token': session_token })).status, 200)
  assert.equal((await logIn('bea', { 'user-agent': NEWER_FIREFOX })).status, 200)
  assert.equal(await countMails('bea'), 0)
  const other = await signIn(server, 'bess')
  const stolen = { 'user-agent': 'curl/8.0', 'x-session-token': other.session_token }
  assert.equal((await logIn('bea', stolen)).status, 200)
  assert.equal((await logIn('bea', { 'user-agent': 'curl/9.0' })).status, 200)
  assert.equal(await countMails('bea'), 1)
})

test('DEVICE-2: an account knows its last hundred devices, for 90 days, by MACs only', async () => {
  const { user } = await signIn(server, 'cleo')
  await logIn('cleo', { 'user-agent': FIREFOX })
  assert.equal(await countMails('cleo'), 1)
  const { database } = server.deps
  const rows = await database.query<{ row: string }>(sql`
    select known_devices::text as row from known_devices where user_id = ${user.id}`)
  assert.equal(rows.length, 2)
  assert.doesNotMatch(JSON.stringify(rows), /Firefox|Windows|127\.0/)
  await database.execute(sql`
    update known_devices set last_used_at = now() - interval '91 days' where user_id = ${user.id}`)
  await upkeepJobs(server.deps).handlers.sweep?.({})
  await logIn('cleo', { 'user-agent': FIREFOX })
  assert.equal(await countMails('cleo'), 2)
  await database.execute(sql`
    insert into known_devices (user_id, mac) select ${user.id}::uuid, n::text from generate_series(1, 120) n`)
  await logIn('cleo', { 'user-agent': 'curl/8.0' })
  const known = await database.query(sql`select mac from known_devices where user_id = ${user.id}`)
  assert.equal(known.length, 100)
})

test('DEVICE-3: a new device is mailed once for many logins at once, and not if they fail', async () => {
  await signIn(server, 'dora')
  assert.equal((await logIn('dora', { 'user-agent': FIREFOX }, 'wrong password')).status, 401)
  assert.equal(await countMails('dora'), 0)
  const answers = await Promise.all(Array.from({ length: 6 }, () => logIn('dora', { 'user-agent': FIREFOX })))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal(await countMails('dora'), 1)
})

test('DEVICE-3: at most 20 new devices a day are mailed', async () => {
  const { user } = await signIn(server, 'emma')
  await server.deps.database.execute(sql`
    insert into account_snapshots (user_id, change, device, address, email, last_period, recovery_codes, expires_at)
    select ${user.id}::uuid, 'signed_in', '', '', ${emailOf('emma')}, 0, '{}', now() + interval '7 days'
    from generate_series(1, 20)`)
  assert.equal((await logIn('emma', { 'user-agent': FIREFOX })).status, 200)
  assert.equal(await countMails('emma'), 0)
  await server.deps.database.execute(sql`
    update account_snapshots set created_at = now() - interval '25 hours' where user_id = ${user.id}`)
  assert.equal((await logIn('emma', { 'user-agent': 'curl/8.0' })).status, 200)
  assert.equal(await countMails('emma'), 1)
})

test('DEVICE-4: taking back and deleting the account forget the devices', async () => {
  const { user } = await signIn(server, 'fay')
  await logIn('fay', { 'user-agent': FIREFOX })
  const mail = await awaitMail(server, emailOf('fay'), { subject: 'New sign-in' })
  const body = { token: tokenIn(mail), password: NEW_PASSWORD }
  await send(server, 'POST', '/api/auth/way-back', { body })
  const again = await logIn('fay', { 'user-agent': FIREFOX }, NEW_PASSWORD)
  assert.equal(await countMails('fay'), 2)
  const headers = credentialOf(JSON.parse(again.text))
  await send(server, 'DELETE', '/api/users/@me', { headers, body: { password: NEW_PASSWORD } })
  const left = await server.deps.database.query(sql`select from known_devices where user_id = ${user.id}`)
  assert.deepEqual(left, [])
})

test('DEVICE-1: a User-Agent cannot put a link into the mail', async () => {
  await signIn(server, 'gina')
  await logIn('gina', { 'user-agent': 'see https://evil.example/x for more' })
  const mail = await awaitMail(server, emailOf('gina'), { subject: 'New sign-in' })
  assert.match(mail, /with see https, from/)
  assert.doesNotMatch(mail, /evil/)
})
