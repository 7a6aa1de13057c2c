import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SpaceArchives } from '@foyer/sdk/api/space-archives'
import { Client } from '@foyer/sdk/client'
import type { RateLimit, RateLimitWait } from '@foyer/sdk/rate-limit'
import { ApiError, NetworkError, type RetryPolicy } from '@foyer/sdk/rest'
import { dropAnswer, type Received, sendError, sendJson, sendNothing, serve } from './http-fixture.ts'
import { makeTokens } from './token-fixture.ts'

const ROOM = '01890000-0000-7000-8000-0000000000aa'
const MESSAGE = '01890000-0000-7000-8000-0000000000bb'
const retry: Partial<RetryPolicy> = { baseDelayMs: 2, maxDelayMs: 10, maxAttempts: 4 }

function isApiError(status: number) {
  return (error: unknown) => error instanceof ApiError && error.status === status
}

describe('a request', () => {
  test('carries both tokens of a person', async (t) => {
    const { baseUrl, requests } = await serve(t, (_request, response) => sendJson(response, {}))
    await new Client({ baseUrl, tokens: makeTokens(1) }).users.me()
    assert.equal(requests[0]?.headers.authorization, 'Bearer access-1')
    assert.equal(requests[0]?.headers['x-session-token'], 'session-1')
  })

  test('carries only a bot’s token', async (t) => {
    const { baseUrl, requests } = await serve(t, (_request, response) => sendJson(response, {}))
    await new Client({ baseUrl, botToken: 'robot', tokens: makeTokens(1) }).users.me()
    assert.equal(requests[0]?.headers.authorization, 'Bot robot')
    assert.equal(requests[0]?.headers['x-session-token'], undefined)
  })

  test('encodes its ids and omits undefined query parameters', async (t) => {
    const { baseUrl, requests } = await serve(t, (_request, response) => sendJson(response, []))
    const client = new Client({ baseUrl: `${baseUrl}/` })
    await client.messages.list('a/b?', { limit: 5, before: MESSAGE })
    await client.members.list('space')
    assert.deepEqual(
      requests.map((request) => request.path),
      [`/api/rooms/a%2Fb%3F/messages?limit=5&before=${MESSAGE}`, '/api/spaces/space/members'],
    )
  })

  test('returns undefined for 204', async (t) => {
    const { baseUrl } = await serve(t, (_request, response) => sendNothing(response))
    assert.equal(await new Client({ baseUrl }).messages.typing(ROOM), undefined)
  })

  test('with a large archive gets more time than others', async (t) => {
    const { baseUrl } = await serve(t, (_request, response) => {
      setTimeout(() => sendJson(response, { id: 'import' }), 300)
    })
    const client = new Client({ baseUrl, retry: { ...retry, uploadTimeoutMs: 100 } })
    const archives = client.api(SpaceArchives)
    await assert.rejects(archives.import(new Blob(['x'])), NetworkError)
    assert.deepEqual(await archives.import(new Blob([new Uint8Array(500_000)])), { id: 'import' })
  })

  test('throws the server’s error', async (t) => {
    const headers = { 'x-error-code': 'unknown_room', 'x-request-id': 'request-7' }
    const { baseUrl } = await serve(t, (_request, response) => sendError(response, 404, headers))
    await assert.rejects(new Client({ baseUrl }).messages.list(ROOM), {
      name: 'ApiError',
      status: 404,
      message: 'error 404',
      code: 'unknown_room',
      requestId: 'request-7',
      retryAfterMs: null,
    })
  })

  test('answered with a page by something else is a network failure', async (t) => {
    const { baseUrl } = await serve(t, (_request, response) => response.end('<h1>Welcome to the hotel</h1>'))
    const client = new Client({ baseUrl, retry: { ...retry, maxAttempts: 1 } })
    await assert.rejects(client.users.me(), NetworkError)
  })
})

describe('a 429', () => {
  test('is repeated after Retry-After', async (t) => {
    let answered = 0
    const { baseUrl } = await serve(t, (_request, response) => {
      answered += 1
      if (answered === 1) sendError(response, 429, { 'retry-after': '0.15' })
      else sendJson(response, { space: {} })
    })
    const started = performance.now()
    await new Client({ baseUrl, retry }).spaces.create({ name: 'Home' })
    assert.ok(performance.now() - started >= 140, 'came back too early')
    assert.equal(answered, 2)
  })

  test('without Retry-After is thrown', async (t) => {
    const { baseUrl, requests } = await serve(t, (_request, response) => sendError(response, 429))
    await assert.rejects(
      new Client({ baseUrl, retry }).auth.login({ email: 'a@b.c', password: 'x' }),
      isApiError(429),
    )
    assert.equal(requests.length, 1)
  })

  test('with a longer wait than allowed is thrown at once', async (t) => {
    const { baseUrl, requests } = await serve(t, (_request, response) =>
      sendError(response, 429, { 'retry-after': '3000' }),
    )
    const request = new Client({ baseUrl, retry }).users.me()
    await assert.rejects(request, { status: 429, retryAfterMs: 3_000_000 })
    assert.equal(requests.length, 1)
  })

  test('that repeats forever is thrown after the last attempt', async (t) => {
    const { baseUrl, requests } = await serve(t, (_request, response) =>
      sendError(response, 429, { 'retry-after': '0' }),
    )
    await assert.rejects(new Client({ baseUrl, retry }).users.me(), isApiError(429))
    assert.equal(requests.length, 4)
  })

  test('is announced with its request before the wait', async (t) => {
    let answered = 0
    const { baseUrl } = await serve(t, (_request, response) => {
      answered += 1
      if (answered === 1) sendError(response, 429, { 'retry-after': '0.01' })
      else sendJson(response, {})
    })
    const waits: RateLimitWait[] = []
    const client = new Client({ baseUrl, retry, onRateLimitWait: (wait) => waits.push(wait) })
    await client.users.me()
    assert.deepEqual(waits, [{ method: 'GET', path: '/api/users/@me', waitMs: 10 }])
  })

  test('is thrown at once to a caller that handles limits itself', async (t) => {
    const { baseUrl, requests } = await serve(t, (_request, response) => {
      const left = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '7' }
      sendError(response, 429, { 'retry-after': '7', ...left })
    })
    const limits: RateLimit[] = []
    const request = new Client({ baseUrl, retry }).users.me({ onRateLimit: (limit) => limits.push(limit) })
    await assert.rejects(request, { status: 429, retryAfterMs: 7000 })
    assert.equal(requests.length, 1)
    assert.deepEqual(limits, [{ remaining: 0, resetAfterMs: 7000 }])
  })

  test('is not waited for once the caller aborts', async (t) => {
    const { baseUrl } = await serve(t, (_request, response) =>
      sendError(response, 429, { 'retry-after': '30' }),
    )
    const request = new Client({ baseUrl, retry }).users.me({ signal: AbortSignal.timeout(50) })
    await assert.rejects(request, { name: 'TimeoutError' })
  })
})

describe('a lost answer', () => {
  test('does not duplicate a message', async (t) => {
    const stored = new Map<unknown, Received>()
    let arrived = 0
    const { baseUrl } = await serve(t, (request, response) => {
      arrived += 1
      stored.set(request.body.nonce, request)
      if (arrived <= 2) dropAnswer(response)
      else sendJson(response, { nonce: request.body.nonce })
    })
    const client = new Client({ baseUrl, retry })
    const message = await client.messages.create(ROOM, { content: 'hello' })
    assert.equal(arrived, 3)
    assert.deepEqual([...stored.keys()], [message.nonce])
    await client.messages.create(ROOM, { content: 'hello' })
    assert.equal(stored.size, 2, 'another message has another nonce')
  })

  test('keeps the given nonce', async (t) => {
    const { baseUrl, requests } = await serve(t, (_request, response) => sendJson(response, {}))
    await new Client({ baseUrl, retry }).messages.create(ROOM, { content: 'hello', nonce: 'mine' })
    assert.equal(requests[0]?.body.nonce, 'mine')
  })

  for (const isIdempotent of [true, false]) {
    test(`of ${isIdempotent ? 'a GET is requested again' : 'a PATCH is not requested again'}`, async (t) => {
      const { baseUrl, requests } = await serve(t, (_request, response) => dropAnswer(response))
      const { users } = new Client({ baseUrl, retry })
      await assert.rejects(isIdempotent ? users.me() : users.updateMe({ alias: 'Ada' }), NetworkError)
      assert.equal(requests.length, isIdempotent ? 4 : 1)
    })
  }

  for (const isLost of [true, false]) {
    test(`makes a 404 of its DELETE ${isLost ? 'a success' : 'an error if none was lost'}`, async (t) => {
      let arrived = 0
      const { baseUrl } = await serve(t, (_request, response) => {
        arrived += 1
        if (isLost && arrived === 1) dropAnswer(response)
        else sendError(response, 404)
      })
      const deleting = new Client({ baseUrl, retry }).messages.delete(ROOM, MESSAGE)
      if (isLost) assert.equal(await deleting, undefined)
      else await assert.rejects(deleting, isApiError(404))
    })
  }
})

test('a 408 is retried for any request, since it did not arrive', async (t) => {
  let arrived = 0
  const { baseUrl } = await serve(t, (_request, response) => {
    arrived += 1
    if (arrived === 1) sendError(response, 408)
    else sendJson(response, {})
  })
  const account = { username: 'ada', email: 'ada@example.org', password: 'lovelace' }
  await new Client({ baseUrl, retry }).auth.signin(account)
  assert.equal(arrived, 2)
})

describe('a 503', () => {
  for (const isIdempotent of [true, false]) {
    test(`to ${isIdempotent ? 'a GET is retried' : 'a signin is thrown'}`, async (t) => {
      let arrived = 0
      const { baseUrl } = await serve(t, (_request, response) => {
        arrived += 1
        if (arrived === 1) sendError(response, 503, { 'retry-after': '0' })
        else sendJson(response, {})
      })
      const client = new Client({ baseUrl, retry })
      const account = { username: 'ada', email: 'ada@example.org', password: 'lovelace' }
      if (isIdempotent) await client.users.me()
      else await assert.rejects(client.auth.signin(account), isApiError(503))
      assert.equal(arrived, isIdempotent ? 2 : 1)
    })
  }
})
