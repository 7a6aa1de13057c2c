import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from '#src/kernel/sql/sql.ts'
import {
  arrive,
  type BrowserLogin,
  loginIn,
  ownPage,
  refreshIn,
  sessionOf,
  statusIn,
} from '#test/browser-login.ts'
import { eventually } from '#test/outside/preview-server.ts'
import { type RawAnswer, send, signIn } from '#test/scenes/accounts.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

test('AUTH-39: a refresh whose answer was lost gets the same tokens again, however late', async () => {
  const browser = await arrive(server, 'ines')
  const lost = await refreshIn(server, browser)
  await letAnHourPass(browser)
  const again = await refreshIn(server, browser)
  assert.equal(again.status, 200, again.text)
  assert.deepEqual(tokensIn(again), tokensIn(lost))
  const renewed = loginIn(again)
  assert.equal(await statusIn(server, renewed), 200)
  assert.equal((await refreshIn(server, renewed)).status, 200)
})

test('AUTH-39: requests with the old tokens after a lost answer do not count as a use of the new ones', async () => {
  const browser = await arrive(server, 'inga')
  assert.equal((await refreshIn(server, browser)).status, 200)
  assert.equal(await statusIn(server, browser), 200)
  await letAnHourPass(browser)
  assert.equal((await refreshIn(server, browser)).status, 200)
})

test('AUTH-39: moving tokens into cookies survives a lost answer', async () => {
  const { refresh_token, session_token } = await signIn(server, 'ivo')
  const move = () =>
    send(server, 'POST', '/api/auth/refresh', { body: { refresh_token, session_token }, headers: ownPage })
  assert.deepEqual([(await move()).status, (await move()).status], [200, 200])
})

test('AUTH-39: tabs that refresh at once get the same tokens', async () => {
  const browser = await arrive(server, 'jana')
  const answers = await Promise.all(Array.from({ length: 8 }, () => refreshIn(server, browser)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 8 }, () => 200),
  )
  assert.equal(new Set(answers.map((answer) => JSON.stringify(tokensIn(answer)))).size, 1)
})

test('AUTH-39: a stolen refresh token ends the session once the newer tokens are in use', async () => {
  const browser = await arrive(server, 'kim')
  const answer = await refreshIn(server, browser)
  const renewed = loginIn(answer)
  assert.equal(await statusIn(server, renewed), 200)
  await noted(renewed)
  await letAnHourPass(browser)
  const reuse = await refreshIn(server, browser)
  assert.deepEqual([reuse.status, reuse.headers.getSetCookie()], [401, []])
  assert.equal(await statusIn(server, renewed), 401)
  assert.equal((await refreshIn(server, renewed)).status, 401)
})

test('AUTH-39: the token before the previous one ends the session at once', async () => {
  const browser = await arrive(server, 'karl')
  const second = await refreshIn(server, browser)
  const renewed = loginIn(second)
  assert.equal((await refreshIn(server, renewed)).status, 200)
  assert.equal((await refreshIn(server, browser)).status, 401)
  assert.equal((await refreshIn(server, renewed)).status, 401)
})

/** Moves the session's last refresh and last use an hour back. */
function letAnHourPass({ tokens }: BrowserLogin): Promise<unknown> {
  return server.deps.database.execute(sql`
    update sessions set rotated_at = rotated_at - interval '1 hour', last_used_at = last_used_at - interval '1 hour'
    where id = ${sessionOf(tokens)}`)
}

function tokensIn(answer: RawAnswer): string[] {
  return answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '')
}

/** Waits until the session's use is recorded, which happens after the request. */
async function noted({ tokens }: BrowserLogin): Promise<void> {
  const find = async () => {
    const [row] = await server.deps.database.query(sql`
      select from sessions where id = ${sessionOf(tokens)} and last_used_at > rotated_at`)
    return row
  }
  await eventually(find)
}
