import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Client, type ClientOptions } from '@foyer/sdk/client'
import { ApiError, type Tokens } from '@foyer/sdk/rest'
import { type Answer, dropAnswer, sendError, sendJson, sendNothing, serve } from './http-fixture.ts'
import { makeLoginResult, makeTokens, makeUser } from './token-fixture.ts'

const EXPIRED_MS = -1000

interface Setup {
  /** The access token that the server accepts. */
  accepted?: string
  refresh?: Answer
  /** Answers the first request for the list of spaces. */
  hold?: Answer
  options?: Partial<ClientOptions>
}

/** A client with the first tokens, and a server that accepts only the second ones and refreshes to them. */
async function setUp(t: TestContext, { accepted = 'access-2', refresh, hold, options = {} }: Setup = {}) {
  const stored: Array<string | null> = []
  const { baseUrl, requests } = await serve(t, (request, response) => {
    const isHeld =
      request.path === '/api/users/@me/spaces' && request.headers.authorization === 'Bearer access-1'
    if (isHeld && hold) hold(request, response)
    else if (request.path === '/api/auth/refresh') (refresh ?? answerRefresh)(request, response)
    else if (request.path === '/api/auth/logout') sendNothing(response)
    else if (request.path === '/api/auth/login') sendJson(response, makeLoginResult(9))
    else if (request.headers.authorization === `Bearer ${accepted}`) sendJson(response, makeUser())
    else sendError(response, 401)
  })
  const onTokens = (tokens: Tokens | null) => stored.push(tokens?.access_token ?? null)
  const retry = { baseDelayMs: 2, maxDelayMs: 5 }
  const client = new Client({ baseUrl, tokens: makeTokens(1), onTokens, retry, ...options })
  const countRefreshes = () => requests.filter((request) => request.path === '/api/auth/refresh').length
  return { client, stored, requests, countRefreshes, baseUrl }
}

const answerRefresh: Answer = (request, response) => {
  const isFirst = request.body.refresh_token === 'refresh-1' && request.body.session_token === 'session-1'
  if (isFirst) sendJson(response, makeLoginResult(2))
  else sendError(response, 401)
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

describe('an access token that the server refuses', () => {
  test('is refreshed, and the request is sent again', async (t) => {
    const { client, stored, requests } = await setUp(t)
    assert.equal((await client.users.me()).username, 'ada')
    assert.deepEqual(stored, ['access-2'])
    assert.equal(requests.at(-1)?.headers['x-session-token'], 'session-2')
  })

  test('is refreshed once for all requests under way', async (t) => {
    const { client, countRefreshes } = await setUp(t)
    const users = await Promise.all(Array.from({ length: 20 }, () => client.users.me()))
    assert.equal(users.length, 20)
    assert.equal(countRefreshes(), 1)
  })

  test('is not refreshed again for a request sent before the refresh', async (t) => {
    const late = Promise.withResolvers<() => void>()
    const hold: Answer = (_request, response) => late.resolve(() => sendError(response, 401))
    const { client, countRefreshes } = await setUp(t, { hold })
    const slow = client.users.listSpaces()
    const refuse = await late.promise
    await client.users.me()
    refuse()
    await slow
    assert.equal(countRefreshes(), 1)
  })

  test('ends the session when the refresh is also refused', async (t) => {
    const { client, stored } = await setUp(t, { refresh: (_request, response) => sendError(response, 401) })
    await assert.rejects(client.users.me(), isUnauthorized)
    await assert.rejects(client.users.me(), isUnauthorized)
    assert.deepEqual(stored, [null])
  })

  for (const [name, refresh] of [
    ['a 429', (_request, response) => sendError(response, 429)],
    ['a 500', (_request, response) => sendError(response, 500)],
    ['no answer', (_request, response) => dropAnswer(response)],
  ] satisfies Array<[string, Answer]>) {
    test(`does not end the session when the refresh gets ${name}`, async (t) => {
      const { client, stored } = await setUp(t, { refresh })
      await assert.rejects(client.users.me(), (error) => !isUnauthorized(error))
      assert.deepEqual(stored, [])
    })
  }

  test('ends the session of a locked account', async (t) => {
    const refresh: Answer = (_request, response) =>
      sendError(response, 403, { 'x-error-code': 'account_locked' })
    const { client, stored } = await setUp(t, { refresh })
    await assert.rejects(client.users.me(), isUnauthorized)
    assert.deepEqual(stored, [null])
  })

  test('is not refreshed endlessly when the server also refuses the new one', async (t) => {
    const { client, stored, countRefreshes } = await setUp(t, { accepted: 'none' })
    await assert.rejects(client.users.me(), isUnauthorized)
    assert.equal(countRefreshes(), 1)
    assert.deepEqual(stored, ['access-2'])
  })
})

describe('an expiring access token', () => {
  test('is refreshed before the request is sent', async (t) => {
    const { client, requests } = await setUp(t, { options: { tokens: makeTokens(1, 30_000) } })
    await client.users.me()
    assert.deepEqual(
      requests.map((request) => request.path),
      ['/api/auth/refresh', '/api/users/@me'],
    )
  })

  test('is still used when it cannot be refreshed', async (t) => {
    const refresh: Answer = (_request, response) => sendError(response, 429)
    const options = { tokens: makeTokens(1, 30_000) }
    const { client, countRefreshes } = await setUp(t, { accepted: 'access-1', refresh, options })
    await client.users.me()
    await client.users.me()
    assert.equal(countRefreshes(), 1)
  })

  test('is not refreshed with every request if the clock is fast', async (t) => {
    const refresh: Answer = (_request, response) => sendJson(response, makeLoginResult(2, EXPIRED_MS))
    const options = { tokens: makeTokens(1, EXPIRED_MS) }
    const { client, countRefreshes } = await setUp(t, { refresh, options })
    await client.users.me()
    await client.users.me()
    assert.equal(countRefreshes(), 1)
  })
})

describe('signing in and out', () => {
  test('takes the tokens of a login, without the account', async (t) => {
    const { client, stored } = await setUp(t, { accepted: 'access-9' })
    const result = await client.auth.login({ email: 'ada', password: 'lovelace' })
    assert.equal(result.user.username, 'ada')
    await client.users.me()
    assert.deepEqual(stored, ['access-9'])
  })

  test('forgets the tokens on logout', async (t) => {
    const { client, stored, requests } = await setUp(t)
    await client.auth.logout()
    assert.deepEqual(stored, [null])
    await assert.rejects(client.users.me(), isUnauthorized)
    assert.equal(requests.at(-1)?.headers.authorization, undefined)
  })

  test('takes precedence over a refresh under way', async (t) => {
    const arrived = Promise.withResolvers<() => void>()
    const refresh: Answer = (request, response) => arrived.resolve(() => answerRefresh(request, response))
    const { client, stored } = await setUp(t, { refresh })
    const refreshing = client.auth.refresh()
    const answer = await arrived.promise
    await client.auth.login({ email: 'ada', password: 'lovelace' })
    answer()
    assert.equal((await refreshing).access_token, 'access-9')
    assert.deepEqual(stored, ['access-9'])
  })
})

describe('several tabs', () => {
  test('use tokens that another tab has refreshed', async (t) => {
    const { client, stored, countRefreshes } = await setUp(t, {
      options: { loadTokens: () => makeTokens(2) },
    })
    await client.users.me()
    assert.equal(countRefreshes(), 0)
    assert.deepEqual(stored, [])
  })

  test('sign out together', async (t) => {
    const { client, stored, countRefreshes } = await setUp(t, { options: { loadTokens: () => null } })
    await assert.rejects(client.users.me(), isUnauthorized)
    assert.equal(countRefreshes(), 0)
    assert.deepEqual(stored, [null])
  })

  test('refresh one after the other', async (t) => {
    let stored: Tokens | null = makeTokens(1)
    let last: Promise<unknown> = Promise.resolve()
    const options: Partial<ClientOptions> = {
      loadTokens: () => stored,
      onTokens: (tokens) => {
        stored = tokens
      },
      refreshLock: (work) => {
        const mine = last.then(work)
        last = mine.catch(() => {})
        return mine
      },
    }
    const { client, baseUrl, countRefreshes } = await setUp(t, { options })
    const other = new Client({ baseUrl, tokens: makeTokens(1), ...options })
    await Promise.all([client.auth.refresh(), other.auth.refresh()])
    assert.equal(countRefreshes(), 1)
    assert.equal(stored?.access_token, 'access-2')
  })
})
