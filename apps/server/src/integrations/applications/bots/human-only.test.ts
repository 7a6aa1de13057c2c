import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { openRoutes as open } from '#test/open-routes.ts'
import { operatorRoutes } from '#test/operator-routes.ts'
import { sendPipelined } from '#test/pipelines.ts'
import { needsNoAccount } from '#test/routes-without-account.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

/**
 * Copied from the specification, 4.2 to 4.9 and 5, not from the routes: a route on the wrong list, or on none, fails.
 */
const humanOnly = `${operatorRoutes}
  POST /api/auth/logout
  GET /api/auth/sessions
  GET /api/users/@me/threads
  PUT /api/threads/{threadId}/follow
  PUT /api/rooms/{roomId}/web
  POST /api/rooms/{roomId}/web
  DELETE /api/rooms/{roomId}/web
  DELETE /api/threads/{threadId}/follow
  DELETE /api/auth/sessions/{sessionId}
  POST /api/auth/verify/send
  POST /api/auth/reset-password/send
  POST /api/auth/change-email/send
  GET /api/auth/address
  PATCH /api/users/@me/password
  GET /api/auth/oidc/logout
  GET /api/users/@me/identities
  POST /api/users/@me/identities/{provider}/start
  DELETE /api/users/@me/identities/{provider}
  GET /api/users/@me/proofs
  POST /api/users/@me/proofs/passkey
  POST /api/users/@me/proofs/passkey/options
  POST /api/users/@me/proofs/providers/{provider}/start
  GET /api/users/@me/second-factors
  POST /api/users/@me/second-factors/confirm-session
  POST /api/users/@me/second-factors/recovery-codes
  POST /api/users/@me/second-factors/totp
  POST /api/users/@me/second-factors/totp/confirm
  DELETE /api/users/@me/second-factors/totp
  GET /api/users/@me/passkeys
  POST /api/users/@me/passkeys
  POST /api/users/@me/passkeys/options
  PATCH /api/users/@me/passkeys/{passkeyId}
  DELETE /api/users/@me/passkeys/{passkeyId}
  DELETE /api/users/@me
  GET /api/users/@me/exports
  POST /api/users/@me/exports
  GET /api/users/@me/exports/{exportId}/download
  GET /api/users/by-username/{username}
  GET /api/users/{userId}/mutual
  GET /api/users/@me/friends
  DELETE /api/users/@me/friends/{userId}
  POST /api/users/@me/friends/requests
  GET /api/users/@me/friends/requests
  GET /api/users/@me/friends/requests/sent
  POST /api/users/@me/friends/requests/{requestId}/accept
  DELETE /api/users/@me/friends/requests/{requestId}
  GET /api/users/@me/blocks
  GET /api/users/@me/blocks/{userId}
  PUT /api/users/@me/blocks/{userId}
  POST /api/users/@me/blocks/{userId}
  DELETE /api/users/@me/blocks/{userId}
  GET /api/users/@me/mentions
  GET /api/users/@me/notification-settings
  PUT /api/users/@me/notification-settings/{scope}/{id}
  DELETE /api/users/@me/notification-settings/{scope}/{id}
  GET /api/push/key
  GET /api/users/@me/waiting-spaces
  DELETE /api/users/@me/waiting-spaces/{spaceId}
  POST /api/users/@me/push-subscriptions
  DELETE /api/users/@me/push-subscriptions
  POST /api/spaces
  POST /api/invites/{code}
  POST /api/applications
  GET /api/applications
  GET /api/applications/{appId}
  PATCH /api/applications/{appId}
  PUT /api/applications/{appId}
  DELETE /api/applications/{appId}
  POST /api/applications/{appId}/bot/token
  POST /api/interactions
  GET /api/voice/check
  POST /api/voice/check
  GET /api/spaces/{spaceId}/messages/search
  GET /api/conversations/{conversationId}/messages/search
  PUT /api/spaces/{spaceId}/bots/{botUserId}
  POST /api/reports
  GET /api/users/@me/reports
  POST /api/spaces/{spaceId}/appeal
  GET /api/spaces/{spaceId}/appeal
  GET /api/users/@me/appeals
  POST /api/spaces/{spaceId}/bots/{botUserId}
  DELETE /api/spaces/{spaceId}/bots/{botUserId}
  POST /api/spaces/{spaceId}/exports
  GET /api/spaces/{spaceId}/exports
  GET /api/spaces/{spaceId}/exports/{exportId}/download
  POST /api/spaces/imports
  GET /api/spaces/imports
  GET /api/spaces/imports/{importId}
  DELETE /api/spaces/{spaceId}/attachments/{attachmentId}
  DELETE /api/spaces/{spaceId}/attachments
  GET /api/spaces/{spaceId}/buckets
  GET /api/spaces/{spaceId}/buckets/{bucketId}/usage
  POST /api/spaces/{spaceId}/buckets
  POST /api/spaces/{spaceId}/buckets/included
  POST /api/spaces/{spaceId}/buckets/test
  POST /api/spaces/{spaceId}/buckets/{bucketId}/test
  PATCH /api/spaces/{spaceId}/buckets/{bucketId}
  PUT /api/spaces/{spaceId}/buckets/{bucketId}
  DELETE /api/spaces/{spaceId}/buckets/{bucketId}
  POST /api/spaces/{spaceId}/buckets/{bucketId}/activate
  PUT /api/spaces/{spaceId}/buckets/{bucketId}/activate
  POST /api/spaces/{spaceId}/buckets/{bucketId}/deactivate
  PUT /api/spaces/{spaceId}/buckets/{bucketId}/deactivate`

/** Maximum requests per caller, below the limit of 50 per second. */
const MAX_PER_CALLER = 40

const linesOf = (list: string) => list.trim().split(/\s*\n\s*/)
const refusal = { status: 403, code: 'bots_not_allowed', body: { error: 'bots cannot use this endpoint' } }

let server: TestServer

before(async () => {
  server = await startTestServer({ rateLimits: true })
})
after(() => server.close())

/** Makes a request for the route, with one value for every parameter and an invalid body. */
function requestFor(line: string, parameter = newId()) {
  const [method = '', pattern = ''] = line.split(' ')
  return {
    method,
    path: pattern.replaceAll(/\{\w+\}/g, parameter),
    body: method === 'GET' ? undefined : '{"not": JSON',
  }
}

test('BOT-7: each route is for people only, for every account, or for everyone', async () => {
  const response = await server.fetch('/api/docs/json')
  const { paths }: { paths: Record<string, object> } = JSON.parse(await response.text())
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const listed = [humanOnly, open, needsNoAccount].flatMap(linesOf)
  assert.deepEqual(served.toSorted(), listed.toSorted())
})

test('BOT-7: a bot is refused on routes for people before anything else is checked', async () => {
  const { credentials } = await createBot(server, 'climber')
  const headers = { ...credentials, 'content-type': 'application/json' }
  for (const parameter of [newId(), 'no-id', '%00']) {
    const requests = linesOf(humanOnly).map((line) => ({ ...requestFor(line, parameter), headers }))
    const answers = await sendPipelined(server, requests)
    for (const [index, { body, ...answer }] of answers.entries()) {
      const asked = `${requests[index]?.method} ${requests[index]?.path}`
      assert.deepEqual({ ...answer, body: JSON.parse(body) }, refusal, asked)
    }
  }
})

test('BOT-7: requests refused to a bot count against no limit', async () => {
  const { token } = await createBot(server, 'insistent')
  const fetchAs = (path: string) => server.fetch(path, { headers: { authorization: `Bot ${token}` } })
  const refused = await Promise.all(Array.from({ length: 100 }, () => fetchAs('/api/applications')))
  for (const { status, headers } of refused) {
    assert.deepEqual([status, headers.get('x-ratelimit-limit')], [403, null])
  }
  const { headers } = await fetchAs('/api/users/@me')
  assert.deepEqual([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')], ['50', '49'])
})

test('BOT-7: people may use these routes', async () => {
  const logout = 'POST /api/auth/logout'
  const lines = linesOf(humanOnly)
  assert.ok(lines.includes(logout))
  for (const [index, group] of groupsOf(lines.filter((line) => line !== logout)).entries())
    await assertNotRefused(await createPerson(server, `person${index}`), [...group, logout])
})

test('BOT-8: no other route refuses bots', async () => {
  for (const [index, group] of groupsOf([open, needsNoAccount].flatMap(linesOf)).entries())
    await assertNotRefused(await createBot(server, `bot${index}`), group)
})

/** Returns the routes in groups that one caller may request in a second. */
function groupsOf(lines: readonly string[]): string[][] {
  const starts = Array.from(
    { length: Math.ceil(lines.length / MAX_PER_CALLER) },
    (_, index) => index * MAX_PER_CALLER,
  )
  return starts.map((start) => lines.slice(start, start + MAX_PER_CALLER))
}

/** Requests the routes one after another, because the last one ends the session. No route refuses the kind of account. */
async function assertNotRefused({ credentials }: Person, lines: readonly string[]): Promise<void> {
  const headers = { ...credentials, 'content-type': 'application/json' }
  for (const line of lines) {
    const { method, path, body = null } = requestFor(line)
    const response = await server.fetch(path, { method, headers, body })
    const code = response.headers.get('x-error-code') ?? ''
    await response.body?.cancel()
    const isRefused = ['bots_not_allowed', 'authentication_required', 'rate_limited'].includes(code)
    assert.ok(!isRefused, `${line}: ${code}`)
  }
}
