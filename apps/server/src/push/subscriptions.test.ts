import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_PUSH_SUBSCRIPTIONS } from '@foyer/protocol/notifications'
import { Client } from '@foyer/sdk/client'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import { awaitMail, tokenIn } from '#test/outside/mailbox.ts'
import {
  makeBrowser,
  type PushService,
  startPushService,
  subscribeBrowser,
} from '#test/outside/push-service.ts'
import { emailOf } from '#test/scenes/accounts.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { startTestServer, TEST_PASSWORD, type TestServer } from '#test/server.ts'

const PATH = '/api/users/@me/push-subscriptions'

let server: TestServer
let service: PushService
let ada: Person
let eve: Person

before(async () => {
  service = await startPushService()
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] })
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
})
after(async () => {
  await server.close()
  await service.close()
})

/** Returns the names of the user's subscribed browsers. */
async function subscribed(userId: string): Promise<string[]> {
  const rows = await server.deps.database.query<{ endpoint: string }>(sql`
    select endpoint from push_subscriptions where user_id = ${userId} order by id`)
  return rows.map(({ endpoint }) => endpoint.slice(endpoint.lastIndexOf('/') + 1))
}

test('PUSH-1: an invalid subscription is refused with the same message, whatever is wrong', async () => {
  const { endpoint, keys } = makeBrowser(service, 'good')
  const { port } = new URL(endpoint)
  const endpoints = [
    'nonsense',
    '',
    'ftp://127.0.0.1/x',
    `http://user:word@127.0.0.1:${port}/x`,
    'https://127.0.0.2/x',
    'https://10.0.0.1/x',
    'https://[::1]/x',
    'https://169.254.169.254/latest/meta-data',
    'http://93.184.215.14/x',
    'https://no-such-host.invalid/x',
  ]
  const bodies = [
    ...endpoints.map((wrong) => ({ endpoint: wrong, keys })),
    { endpoint, keys: { ...keys, auth: 'AAAA' } },
    { endpoint, keys: { ...keys, p256dh: keys.p256dh.replace(/^./, 'C') } },
  ]
  for (const body of bodies) {
    const { status, code } = await ada.call('POST', PATH, body)
    assert.deepEqual([status, code], [400, 'invalid_push_subscription'], JSON.stringify(body))
  }
  const shapes = [
    null,
    {},
    { endpoint },
    { endpoint, keys: null },
    { endpoint: 1, keys },
    { endpoint: 'x'.repeat(3000), keys },
  ]
  for (const body of shapes) assert.equal((await ada.call('POST', PATH, body)).code, 'invalid_request')
  assert.deepEqual(await subscribed(ada.id), [])
  assert.equal((await ada.call('POST', PATH, { endpoint, keys })).status, 204)
  assert.deepEqual(await subscribed(ada.id), ['good'])
  await ada.client.notifications.unsubscribe(endpoint)
})

test('PUSH-1: bots cannot subscribe', async () => {
  const bot = await createBot(server, 'robot')
  const answers = [bot.call('POST', PATH, {}), bot.call('DELETE', PATH, {}), bot.call('GET', '/api/push/key')]
  for (const { code } of await Promise.all(answers)) assert.equal(code, 'bots_not_allowed')
})

test('PUSH-2: a browser belongs to the login now in it, and the newest subscriptions stay', async () => {
  await subscribeBrowser(service, ada, 'shared')
  await subscribeBrowser(service, ada, 'shared')
  assert.deepEqual(await subscribed(ada.id), ['shared'])
  const shared = await subscribeBrowser(service, eve, 'shared')
  assert.deepEqual([await subscribed(ada.id), await subscribed(eve.id)], [[], ['shared']])
  const names = Array.from({ length: MAX_PUSH_SUBSCRIPTIONS + 2 }, (_, at) => `b${at}`)
  for (const name of names.slice(0, -6)) await subscribeBrowser(service, ada, name)
  await Promise.all(names.slice(-6).map((name) => subscribeBrowser(service, ada, name)))
  const kept = await subscribed(ada.id)
  assert.deepEqual(kept.toSorted(), names.slice(2).toSorted())
  assert.deepEqual(await subscribed(eve.id), ['shared'])
  await eve.client.notifications.unsubscribe(shared.endpoint)
})

test('PUSH-3: only its user can end a subscription', async () => {
  const { endpoint } = await subscribeBrowser(service, eve, 'mine')
  await ada.client.notifications.unsubscribe(endpoint)
  assert.deepEqual(await subscribed(eve.id), ['mine'])
  for (const _ of [1, 2]) await eve.client.notifications.unsubscribe(endpoint)
  assert.deepEqual(await subscribed(eve.id), [])
  assert.equal((await eve.call('DELETE', PATH, { endpoint: 1 })).code, 'invalid_request')
})

test('PUSH-3: a subscription ends with its login, however that ends, and not with another', async () => {
  const first = await server.signUp('kim')
  const { id } = await first.users.me()
  const enter = async (name: string) => {
    const client = await createSession('kim')
    const browser = makeBrowser(service, name)
    await client.notifications.subscribe({ endpoint: browser.endpoint, keys: browser.keys })
    return client
  }
  const out = await enter('logged-out')
  await out.auth.logout()
  assert.deepEqual(await subscribed(id), [])
  await enter('revoked')
  const here = await enter('here')
  const sessions = await here.auth.listSessions()
  await enter('there')
  for (const { id: sessionId, current } of sessions) if (!current) await here.auth.deleteSession(sessionId)
  assert.deepEqual(await subscribed(id), ['here', 'there'])
  await here.auth.forgotPassword({ email: emailOf('kim') })
  const token = tokenIn(await awaitMail(server, emailOf('kim'), { subject: 'Set a new' }))
  await server.fetch('/api/auth/reset-password', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, password: TEST_PASSWORD }),
  })
  assert.deepEqual(await subscribed(id), [])
  const last = await enter('last')
  assert.deepEqual(await subscribed(id), ['last'])
  await last.users.deleteMe({ password: TEST_PASSWORD })
  assert.deepEqual(await subscribed(id), [])
})

async function createSession(username: string) {
  const client = new Client({ baseUrl: server.url })
  await client.auth.login({ email: emailOf(username), password: TEST_PASSWORD })
  return client
}

test('PUSH-4: no answer and no event contains an address or a key', async () => {
  const desk = await connect(server, eve)
  const { endpoint, keys } = makeBrowser(service, 'secret-browser')
  const answer = await eve.call('POST', PATH, { endpoint, keys })
  assert.equal(answer.body, undefined)
  assert.equal((await eve.call('GET', PATH)).status, 405)
  await desk.settle()
  desk.close()
  const ready = await connect(server, eve)
  ready.close()
  const told = [...desk.frames, ...ready.frames].map(({ text }) => text).join()
  const journal = await server.deps.database.query<{ data: string }>(sql`select data::text from events`)
  const all = told + journal.map(({ data }) => data).join()
  for (const secret of ['secret-browser', keys.p256dh, keys.auth]) assert.ok(!all.includes(secret))
  const { public_key } = await eve.client.notifications.pushKey()
  assert.equal(Buffer.from(public_key, 'base64url').length, 65)
})
