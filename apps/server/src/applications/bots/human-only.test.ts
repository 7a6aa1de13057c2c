import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { operatorRoutes } from '#test/operator-routes.ts'
import { needsNoAccount } from '#test/routes-without-account.ts'
import { createBot, createPerson } from '#test/scenes/people.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

/**
 * Copied from the specification, 4.2 to 4.9 and 5, not from the routes: a route on the wrong list, or on none, fails.
 */
const humanOnly = `${operatorRoutes}
  POST /api/auth/logout
  GET /api/auth/sessions
  DELETE /api/auth/sessions/{sessionId}
  POST /api/auth/verify/send
  POST /api/auth/reset-password/send
  POST /api/auth/change-email/send
  GET /api/auth/address
  PATCH /api/users/@me/password
  DELETE /api/users/@me
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
  POST /api/spaces/{spaceId}/bots/{botUserId}
  DELETE /api/spaces/{spaceId}/bots/{botUserId}
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

const open = `
  GET /api/rooms/{roomId}/messages/{messageId}/reactions/{emoji}
  PUT /api/rooms/{roomId}/messages/{messageId}/reactions/{emoji}
  DELETE /api/rooms/{roomId}/messages/{messageId}/reactions/{emoji}
  DELETE /api/rooms/{roomId}/messages/{messageId}/reactions/{emoji}/{userId}
  DELETE /api/rooms/{roomId}/messages/{messageId}/reactions
  GET /api/rooms/{roomId}/pins
  PUT /api/rooms/{roomId}/pins/{messageId}
  DELETE /api/rooms/{roomId}/pins/{messageId}
  GET /api/conversations/{conversationId}/messages/{messageId}/reactions/{emoji}
  PUT /api/conversations/{conversationId}/messages/{messageId}/reactions/{emoji}
  DELETE /api/conversations/{conversationId}/messages/{messageId}/reactions/{emoji}
  DELETE /api/conversations/{conversationId}/messages/{messageId}/reactions/{emoji}/{userId}
  DELETE /api/conversations/{conversationId}/messages/{messageId}/reactions
  GET /api/conversations/{conversationId}/pins
  PUT /api/conversations/{conversationId}/pins/{messageId}
  DELETE /api/conversations/{conversationId}/pins/{messageId}
  GET /api/applications/{appId}/commands
  PUT /api/applications/{appId}/commands
  GET /api/applications/{appId}/interactions/next
  GET /api/spaces/{spaceId}/commands
  GET /api/conversations/{conversationId}/commands
  GET /api/users/@me
  PATCH /api/users/@me
  GET /api/users/{userId}
  GET /api/users/@me/spaces
  GET /api/users/@me/status
  PUT /api/users/@me/status
  GET /api/gateway
  GET /api/spaces/{spaceId}
  PATCH /api/spaces/{spaceId}
  PUT /api/spaces/{spaceId}
  DELETE /api/spaces/{spaceId}
  POST /api/spaces/{spaceId}/transfer
  GET /api/spaces/{spaceId}/rooms
  POST /api/spaces/{spaceId}/rooms
  PATCH /api/spaces/{spaceId}/rooms/{roomId}
  PUT /api/spaces/{spaceId}/rooms/{roomId}
  DELETE /api/spaces/{spaceId}/rooms/{roomId}
  GET /api/spaces/{spaceId}/rooms/{roomId}/overwrites
  PUT /api/spaces/{spaceId}/rooms/{roomId}/overwrites
  POST /api/spaces/{spaceId}/rooms/{roomId}/overwrites
  DELETE /api/spaces/{spaceId}/rooms/{roomId}/overwrites/{targetId}
  POST /api/spaces/{spaceId}/rooms/{roomId}/invites
  GET /api/spaces/{spaceId}/invites
  DELETE /api/spaces/{spaceId}/invites/{inviteId}
  GET /api/spaces/{spaceId}/roles
  POST /api/spaces/{spaceId}/roles
  PATCH /api/spaces/{spaceId}/roles/{roleId}
  PUT /api/spaces/{spaceId}/roles/{roleId}
  DELETE /api/spaces/{spaceId}/roles/{roleId}
  PUT /api/spaces/{spaceId}/members/{memberId}/roles/{roleId}
  POST /api/spaces/{spaceId}/members/{memberId}/roles/{roleId}
  DELETE /api/spaces/{spaceId}/members/{memberId}/roles/{roleId}
  GET /api/spaces/{spaceId}/members
  GET /api/spaces/{spaceId}/members/{memberId}
  PATCH /api/spaces/{spaceId}/members/@me
  PUT /api/spaces/{spaceId}/members/@me
  PATCH /api/spaces/{spaceId}/members/{memberId}
  PUT /api/spaces/{spaceId}/members/{memberId}
  PATCH /api/spaces/{spaceId}/members/{memberId}/voice
  PUT /api/spaces/{spaceId}/members/{memberId}/voice
  DELETE /api/spaces/{spaceId}/members/@me
  DELETE /api/spaces/{spaceId}/members/{memberId}
  GET /api/spaces/{spaceId}/bans
  GET /api/spaces/{spaceId}/door
  PATCH /api/spaces/{spaceId}/door
  PUT /api/spaces/{spaceId}/door
  GET /api/spaces/{spaceId}/door/newcomers
  POST /api/spaces/{spaceId}/door/newcomers/let-in
  POST /api/spaces/{spaceId}/door/newcomers/remove
  GET /api/spaces/{spaceId}/automod/rules
  POST /api/spaces/{spaceId}/automod/rules
  PATCH /api/spaces/{spaceId}/automod/rules/{ruleId}
  PUT /api/spaces/{spaceId}/automod/rules/{ruleId}
  DELETE /api/spaces/{spaceId}/automod/rules/{ruleId}
  POST /api/spaces/{spaceId}/automod/rules/try
  GET /api/spaces/{spaceId}/automod/hits
  GET /api/spaces/{spaceId}/automod/held
  POST /api/spaces/{spaceId}/automod/held/{heldId}/approve
  DELETE /api/spaces/{spaceId}/automod/held/{heldId}
  GET /api/spaces/{spaceId}/audit-log
  GET /api/spaces/{spaceId}/audit-log/export
  POST /api/spaces/{spaceId}/audit-log/{entryId}/undo
  GET /api/spaces/{spaceId}/members/{memberId}/timeout
  PUT /api/spaces/{spaceId}/members/{memberId}/timeout
  POST /api/spaces/{spaceId}/members/{memberId}/timeout
  DELETE /api/spaces/{spaceId}/members/{memberId}/timeout
  PUT /api/spaces/{spaceId}/bans/{userId}
  POST /api/spaces/{spaceId}/bans/{userId}
  DELETE /api/spaces/{spaceId}/bans/{userId}
  GET /api/spaces/{spaceId}/emojis
  POST /api/spaces/{spaceId}/emojis
  PATCH /api/spaces/{spaceId}/emojis/{emojiId}
  PUT /api/spaces/{spaceId}/emojis/{emojiId}
  DELETE /api/spaces/{spaceId}/emojis/{emojiId}
  GET /api/spaces/{spaceId}/stickers
  POST /api/spaces/{spaceId}/stickers
  PATCH /api/spaces/{spaceId}/stickers/{stickerId}
  PUT /api/spaces/{spaceId}/stickers/{stickerId}
  DELETE /api/spaces/{spaceId}/stickers/{stickerId}
  POST /attachments/{attachmentId}/resign
  POST /api/rooms/{roomId}/attachments
  DELETE /api/rooms/{roomId}/attachments/{attachmentId}
  GET /api/spaces/{spaceId}/attachments
  GET /api/spaces/{spaceId}/attachments/storage
  POST /api/rooms/{roomId}/messages
  GET /api/rooms/{roomId}/messages
  GET /api/rooms/{roomId}/messages/{messageId}
  GET /api/rooms/{roomId}/messages/{messageId}/replies
  GET /api/rooms/{roomId}/messages/{messageId}/origin
  PATCH /api/rooms/{roomId}/messages/{messageId}
  DELETE /api/rooms/{roomId}/messages/{messageId}
  POST /api/rooms/{roomId}/messages/{messageId}/ack
  POST /api/rooms/{roomId}/messages/bulk-delete
  GET /api/rooms/{roomId}/read-state
  POST /api/conversations/{conversationId}/messages
  GET /api/conversations/{conversationId}/messages
  GET /api/conversations/{conversationId}/messages/{messageId}
  GET /api/conversations/{conversationId}/messages/{messageId}/replies
  GET /api/conversations/{conversationId}/messages/{messageId}/origin
  PATCH /api/conversations/{conversationId}/messages/{messageId}
  DELETE /api/conversations/{conversationId}/messages/{messageId}
  POST /api/conversations/{conversationId}/messages/{messageId}/ack
  POST /api/conversations/{conversationId}/messages/bulk-delete
  GET /api/conversations/{conversationId}/read-state
  POST /api/rooms/{roomId}/webhooks
  GET /api/rooms/{roomId}/webhooks
  GET /api/spaces/{spaceId}/webhooks
  GET /api/webhooks/{webhookId}
  PATCH /api/webhooks/{webhookId}
  PUT /api/webhooks/{webhookId}
  DELETE /api/webhooks/{webhookId}
  POST /api/rooms/{roomId}/typing
  POST /api/rooms/{roomId}/recording
  POST /api/conversations
  GET /api/conversations
  GET /api/conversations/{conversationId}
  PATCH /api/conversations/{conversationId}
  PUT /api/conversations/{conversationId}
  DELETE /api/conversations/{conversationId}
  PUT /api/conversations/{conversationId}/members/{userId}
  POST /api/conversations/{conversationId}/members/{userId}
  DELETE /api/conversations/{conversationId}/members/{userId}
  POST /api/conversations/{conversationId}/attachments
  DELETE /api/conversations/{conversationId}/attachments/{attachmentId}
  POST /api/conversations/{conversationId}/call/decline
  POST /api/conversations/{conversationId}/call/ring
  POST /api/conversations/{conversationId}/typing
  POST /api/conversations/{conversationId}/recording`

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
  const bot = await createBot(server, 'climber')
  for (const line of linesOf(humanOnly)) {
    for (const parameter of [newId(), 'no-id', '%00']) {
      const { method, path, body } = requestFor(line, parameter)
      assert.deepEqual(await bot.call(method, path, body), refusal, `${line} with ${parameter}`)
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
  for (const [index, line] of linesOf(humanOnly).entries()) {
    const person = await createPerson(server, `person${index}`)
    const { method, path, body } = requestFor(line)
    const { code } = await person.call(method, path, body)
    assert.notEqual(code, 'bots_not_allowed', line)
  }
})

test('BOT-8: no other route refuses bots', async () => {
  for (const [index, line] of [open, needsNoAccount].flatMap(linesOf).entries()) {
    // One bot per request: they are sent faster than the rate limit allows.
    const { token } = await createBot(server, `bot${index}`)
    const { method, path, body = null } = requestFor(line)
    const response = await server.fetch(path, { method, headers: { authorization: `Bot ${token}` }, body })
    const code = response.headers.get('x-error-code')
    await response.body?.cancel()
    assert.ok(code !== 'bots_not_allowed' && code !== 'authentication_required', line)
  }
})
