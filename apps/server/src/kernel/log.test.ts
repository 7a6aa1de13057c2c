import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readConfig } from '#src/config.ts'
import { type RunningServer, startServer } from '#src/start.ts'
import { cloneDatabase } from '#test/database.ts'
import { createLog } from './log.ts'

const PASSWORD = 'hunter2 hunter2 hunter2'
const EMAIL = 'grace.secret@example.org'

const lines: string[] = []
const log = createLog('trace', { write: (line) => lines.push(line) })

let server: RunningServer
let cleanUp: () => Promise<void>
before(async () => {
  const [database, dataDir] = await Promise.all([cloneDatabase(), mkdtemp(join(tmpdir(), 'foyer-log-'))])
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, RATE_LIMITS: 'off' })
  server = await startServer({ config, connection: database.connection, log })
  cleanUp = async () => {
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
after(() => cleanUp())

interface Tokens {
  access_token: string
  refresh_token: string
  session_token: string
}

function send(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

test('HTTP-13: the log of signups, logins, mails and failures contains no secret', async () => {
  const signedUp = await send('/api/auth/signin', { username: 'grace', email: EMAIL, password: PASSWORD })
  const first: Tokens = JSON.parse(await signedUp.text())
  await send('/api/auth/login', { email: EMAIL, password: 'wrong-password-1' })
  await send('/api/auth/forgot-password', { email: EMAIL })
  await send('/api/auth/reset-password', { token: 'mailed-token-1', password: PASSWORD })
  await send('/api/auth/verify?token=query-token-1', { token: 'mailed-token-2' })
  const refresh = { refresh_token: first.refresh_token }
  const refreshed = await send('/api/auth/refresh', refresh, { 'x-session-token': first.session_token })
  const second: Tokens = JSON.parse(await refreshed.text())
  const headers = {
    authorization: `Bearer ${second.access_token}`,
    cookie: `service_session_token=${second.session_token}`,
  }
  await fetch(`${server.url}/api/users/@me?token=query-token-2`, { headers })
  await fetch(`${server.url}/api/invites/path-token-1`, { headers })
  await fetch(`${server.url}/no-such-route/path-token-2?x=query-token-3`, { headers })
  await fetch(`${server.url}/api/spaces/%ff-path-token-3`, { headers: { authorization: 'Bot bot-token-1' } })
  await server.close()

  assert.equal(refreshed.status, 200)
  const secrets = [
    PASSWORD,
    EMAIL,
    'wrong-password-1',
    ...Object.values({ ...first }),
    ...Object.values({ ...second }),
  ]
  const tokens = secrets.filter((secret) => typeof secret === 'string' && secret.length > 12)
  assert.ok(tokens.length >= 9)
  const text = lines.join('')
  for (const token of tokens) assert.ok(!text.includes(token), `${token.slice(0, 8)}… is in the log`)
  assert.doesNotMatch(text, /(mailed|query|path|bot)-token-\d|"hash"|argon2/)
  assert.match(text, /"route":"\/api\/auth\/login","status":401/)
  assert.match(text, /"route":"\/api\/invites\/:code","status":404/)
})

test('HTTP-13: secrets in logged objects are redacted, and errors lose the details that libraries add', () => {
  lines.length = 0
  const request = { headers: { authorization: 'Bearer abc', cookie: 'c=abc' }, url: '/x?token=abc' }
  log.info({ body: { password: 'abc', email: 'abc' }, token: 'abc', request, req: request }, 'careless')
  const error = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(abc) exists',
  })
  log.error({ err: error })
  const [careless = '', failed = ''] = lines
  assert.equal(careless.match(/\[secret\]/g)?.length, 5)
  assert.doesNotMatch(careless.replace('/x?token=abc', ''), /abc/)
  assert.match(failed, /"code":"23505"/)
  assert.doesNotMatch(failed, /abc/)
})
