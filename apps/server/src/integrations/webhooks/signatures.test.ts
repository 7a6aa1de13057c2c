import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Webhook } from '@foyer/protocol/webhooks'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { deliver } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const SECRET = ' It’s a secret '

let server: TestServer
let owner: Person
let space: TestSpace
let webhook: Webhook

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  space = await makeSpace(owner)
  webhook = await owner.client.webhooks.create(space.general, { name: 'GitHub', secret: SECRET })
})
after(() => server.close())

const star = (login: string) =>
  `{ "action": "created", "repository": {"full_name": "ada/engine"},\n"sender": {"login": "${login}", "id": "${login}"} }`

const signatureOf = (body: string, secret = SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

function tell(body: string, signature: string | undefined, headers: Record<string, string> = {}) {
  const signed = signature === undefined ? {} : { 'x-hub-signature-256': signature }
  return deliver(server, webhook, body, {
    path: '/github',
    headers: { 'x-github-event': 'star', ...headers, ...signed },
  })
}

const count = async () => (await owner.client.messages.list(space.general, { limit: 100 })).length

test('WEBHOOK-26: /github with a secret posts deliveries signed over their exact bytes', async () => {
  const before = await count()
  assert.equal((await tell(star('ada'), signatureOf(star('ada')))).status, 204)
  const upper = signatureOf(star('eve')).toUpperCase().replace('SHA256', 'sha256')
  assert.equal((await tell(star('eve'), upper)).status, 204)
  const form = new URLSearchParams({ payload: star('bob') }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await tell(form, signatureOf(form), type)).status, 204)
  assert.equal(await count(), before + 3)
})

test('WEBHOOK-26: a delivery without the right signature is 401, and is not parsed', async () => {
  const before = await count()
  const body = star('mallory')
  const right = signatureOf(body)
  const wrong = [
    undefined,
    '',
    'sha256=',
    right.slice(0, -2),
    `${right}00`,
    right.replace('sha256=', 'sha1='),
    right.slice('sha256='.length),
    signatureOf(body, 'another'),
    signatureOf(body, SECRET.trim()),
    signatureOf(JSON.stringify(JSON.parse(body))),
  ]
  for (const signature of wrong) {
    const answer = await tell(body, signature)
    assert.deepEqual(
      [answer.status, answer.code, answer.body],
      [401, 'unsigned_delivery', { error: "the delivery is not signed with the webhook's secret" }],
      signature ?? 'none',
    )
  }
  assert.equal((await tell('{"not": JSON', 'sha256=00')).status, 401)
  assert.equal(await count(), before)
  assert.equal((await tell(body, right)).status, 204)
})

test('WEBHOOK-24: the secret can be changed and removed, and is never shown', async () => {
  assert.equal(webhook.has_secret, true)
  const own = await owner.client.webhooks.create(space.general, { name: 'Other' })
  assert.equal(own.has_secret, false)
  const post = (secret?: string) => {
    const body = star('ada')
    const signed = secret === undefined ? {} : { 'x-hub-signature-256': signatureOf(body, secret) }
    const headers = { 'x-github-event': 'star', ...signed }
    return deliver(server, own, body, { path: '/github', headers })
  }
  assert.equal((await post()).status, 204)
  const secret = 'first-unguessable'
  assert.equal((await owner.client.webhooks.update(own.id, { secret })).has_secret, true)
  assert.deepEqual([(await post(secret)).status, (await post()).status], [204, 401])
  assert.equal((await owner.client.webhooks.update(own.id, { name: 'Renamed' })).has_secret, true)
  // The token alone cannot change the secret.
  await owner.client.webhooks.updateByToken(own, { name: 'By token', ...{ secret: null } })
  assert.equal((await post()).status, 401)
  const seen = [
    await owner.client.webhooks.get(own.id),
    await owner.client.webhooks.getByToken(own),
    await owner.client.webhooks.listOfSpace(space.id),
    await listJournal(server, topicOf.space(space.id)),
    await server.deps.database.query(sql`
      select encode(secret, 'escape') as stored from webhooks where space_id = ${space.id}`),
  ]
  assert.doesNotMatch(JSON.stringify(seen), /unguessable/)
  assert.equal((await owner.client.webhooks.update(own.id, { secret: null })).has_secret, false)
  assert.equal((await post()).status, 204)
  for (const bad of ['', 'x'.repeat(257), 7]) {
    const { status } = await owner.call('PATCH', `/api/webhooks/${own.id}`, { secret: bad })
    assert.equal(status, 400)
  }
})

test('WEBHOOK-24: plain posts and Slack’s need no signature', async () => {
  assert.equal((await deliver(server, webhook, { content: 'plain' })).status, 204)
  assert.equal((await deliver(server, webhook, { text: 'slack' }, { path: '/slack' })).status, 200)
})

test('WEBHOOK-26: a secret sealed under another key accepts nothing', async () => {
  const own = await owner.client.webhooks.create(space.general, { name: 'Lost', secret: SECRET })
  await server.deps.database.execute(sql`
    update webhooks set secret = (select secret from webhooks where id = ${webhook.id}) where id = ${own.id}`)
  const body = star('ada')
  const headers = { 'x-github-event': 'star', 'x-hub-signature-256': signatureOf(body) }
  assert.equal((await deliver(server, own, body, { path: '/github', headers })).status, 401)
})
