import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { LoginResult } from '@foyer/protocol/auth'
import { readConfig } from '#src/config.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { createLog } from '#src/kernel/log.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { startServer } from '#src/start.ts'
import { cloneDatabase, type TestDatabase } from '#test/database.ts'
import { awaitJobs, awaitMail, tokenIn } from '#test/outside/mailbox.ts'
import {
  credentialOf,
  emailOf,
  loginResult,
  type RawAnswer,
  type RawRequest,
  send,
} from '#test/scenes/accounts.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { TEST_PASSWORD, type TestServer } from '#test/server.ts'

const NEW_PASSWORD = 'a wholly new password'
const NEW_EMAIL = 'ann@new.example'

let server: TestServer
let database: TestDatabase
const log: string[] = []
const events: Event[] = []
/** Answers that contain tokens, because they log in, and all others. */
const logins: RawAnswer[] = []
const answers: RawAnswer[] = []

before(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-'))
  database = await cloneDatabase()
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off' })
  const logger = createLog('trace', { write: (line: string) => log.push(line) })
  const running = await startServer({ config, connection: database.connection, log: logger })
  server = {
    ...running,
    dataDir,
    fetch: (path, init) => fetch(`${running.url}${path}`, init),
    signUp: () => assert.fail('not here'),
    close: async () => {
      await running.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  running.deps.bus.subscribe({ caches: [{ receive: (batch) => void events.push(...batch) }] })
})
after(() => server.close())

async function call(method: string, path: string, request: RawRequest = {}): Promise<RawAnswer> {
  const answer = await send(server, method, path, request)
  answers.push(answer)
  return answer
}

async function callForTokens(path: string, body: unknown): Promise<LoginResult> {
  const answer = await send(server, 'POST', path, { body })
  logins.push(answer)
  return loginResult(answer)
}

async function inviteOfSomebody(): Promise<string> {
  const { client } = await createOperator(server, 'somebody')
  const { space, rooms } = await client.spaces.create({ name: 'Club' })
  const { code } = await client.invites.create(space.id, rooms[1]?.id ?? '')
  return code
}

/** Runs everything that an account can do, with success and failure. */
async function liveThrough(): Promise<{ secrets: string[] }> {
  const account = { username: 'ann', email: emailOf('ann'), password: TEST_PASSWORD }
  const first = await callForTokens('/api/auth/signin', account)
  const verifyToken = tokenIn(await awaitMail(server, emailOf('ann'), { subject: 'Verify' }))
  const [{ password_hash: hash } = { password_hash: '' }] = await server.deps.database.query<{
    password_hash: string
  }>(sql`select password_hash from users where id = ${first.user.id}`)
  const headers = credentialOf(first)
  await call('POST', '/api/auth/signin', { body: account })
  await call('POST', '/api/auth/login', { body: { ...account, password: 'wrong password' } })
  await call('POST', `/api/invites/${await inviteOfSomebody()}`, { headers })
  await call('GET', '/api/users/@me', { headers })
  await call('GET', `/api/users/${first.user.id}`, { headers })
  await call('PATCH', '/api/users/@me', { headers, body: { alias: 'Ann', email: 'x@example.org' } })
  await call('POST', '/api/auth/verify', { body: { token: verifyToken } })
  await call('POST', `/api/auth/verify?token=${verifyToken}`, { body: { token: verifyToken } })
  await call('POST', '/api/auth/change-email/send', {
    headers,
    body: { email: NEW_EMAIL, password: 'wrong' },
  })
  await call('POST', '/api/auth/change-email/send', {
    headers,
    body: { email: NEW_EMAIL, password: TEST_PASSWORD },
  })
  const changeToken = tokenIn(await awaitMail(server, NEW_EMAIL, { subject: 'Confirm' }))
  await call('POST', '/api/auth/change-email', { body: { token: changeToken } })
  await call('POST', '/api/auth/forgot-password', { body: { email: NEW_EMAIL } })
  const resetToken = tokenIn(await awaitMail(server, NEW_EMAIL, { subject: 'Set a new' }))
  await call('POST', '/api/auth/reset-password', {
    headers,
    body: { token: resetToken, password: NEW_PASSWORD },
  })
  const second = await callForTokens('/api/auth/login', { email: NEW_EMAIL, password: NEW_PASSWORD })
  const third = await callForTokens('/api/auth/refresh', second)
  const fourth = await callForTokens('/api/auth/login', { email: 'ann', password: NEW_PASSWORD })
  await call('POST', '/api/auth/refresh', { body: second })
  await call('GET', '/api/auth/sessions', { headers })
  await call('POST', '/api/auth/logout', { headers: credentialOf(fourth) })
  await call('DELETE', '/api/users/@me', { headers, body: { password: NEW_PASSWORD } })
  await awaitJobs(server)
  const tokens = [first, second, third, fourth].flatMap((result) => [
    result.access_token,
    result.refresh_token,
    result.session_token,
  ])
  return { secrets: [hash, verifyToken, changeToken, resetToken, ...tokens] }
}

test('AUTH-5: a server that is started as the program starts it stores passwords at full cost', async () => {
  const body = { username: 'costly', email: emailOf('costly'), password: TEST_PASSWORD }
  const { id } = loginResult(await send(server, 'POST', '/api/auth/signin', { body })).user
  const [row] = await server.deps.database.query<{ hash: string }>(sql`
    select password_hash as hash from users where id = ${id}`)
  assert.match(row?.hash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('AUTH-25: addresses, passwords, hashes and tokens are in no answer, event or log line', async () => {
  const { secrets } = await liveThrough()
  const personal = [emailOf('ann'), NEW_EMAIL, TEST_PASSWORD, NEW_PASSWORD, 'argon2']
  const everywhere = [...personal, ...secrets]
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(
    statuses,
    [400, 401, 200, 200, 200, 200, 204, 400, 400, 204, 204, 204, 204, 401, 200, 204, 204],
  )
  assert.ok(events.some(({ name }) => name === 'USER_UPDATE'))
  assert.ok(log.some((line) => line.includes('in mailbox/')))
  assertFree(answers.map(wholeOf), everywhere)
  assertFree(
    events.map((event) => JSON.stringify(event)),
    everywhere,
  )
  assertFree(log, everywhere)
  assertFree(logins.map(wholeOf), personal)
})

function wholeOf({ text, headers }: RawAnswer): string {
  return `${text} ${JSON.stringify([...headers])}`
}

function assertFree(texts: readonly string[], secrets: readonly string[]): void {
  assert.ok(texts.length > 0)
  for (const secret of secrets) {
    assert.ok(secret.length > 5)
    const found = texts.find((text) => text.toLowerCase().includes(secret.toLowerCase()))
    assert.equal(found, undefined, `${secret} stands in ${found}`)
  }
}
