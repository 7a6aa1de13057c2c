import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSocket } from '#test/kernel.ts'
import { createPerson } from '#test/people.ts'
import { startTestServer } from '#test/server.ts'
import { makeSpace } from '#test/spaces.ts'
import { deliver } from '#test/webhooks.ts'

const ALLOWED = 30

test('WEBHOOK-6: of a flood 30 a minute are posted, each once; other webhooks go on', async (context) => {
  const server = await startTestServer({ rateLimits: true })
  context.after(() => server.close())
  const owner = await createPerson(server, 'owner')
  const { general } = await makeSpace(owner)
  const flooded = await owner.client.webhooks.create(general, { name: 'Flooded' })
  const calm = await owner.client.webhooks.create(general, { name: 'Calm' })
  const wrong = { ...flooded, token: 'wrong' }
  assert.equal((await deliver(server, wrong, { content: 'guessed' })).code, 'unknown_webhook')
  const flood = Array.from({ length: ALLOWED + 10 }, (_, index) =>
    deliver(server, flooded, { content: `${index}` }, { path: index % 2 === 0 ? '' : '/slack' }),
  )
  const answers = await Promise.all(flood)
  const refused = answers.filter(({ status }) => status === 429)
  assert.deepEqual(new Set(refused.map(({ code }) => code)), new Set(['rate_limited']))
  const slack = await deliver(server, calm, { text: 'calm' }, { path: '/slack' })
  assert.equal(slack.status, 200)
  const posted = await owner.client.messages.list(general, { limit: 100 })
  const contents = posted.filter(({ author }) => author.id === flooded.id).map(({ content }) => content)
  assert.equal(new Set(contents).size, contents.length)
  assert.equal(contents.length, answers.filter(({ status }) => status < 300).length)
  assert.ok(refused.length > 0)
})

test('RATE-15: the webhooks of a space have 600 executions a minute together, those of others their own', async (context) => {
  const server = await startTestServer({ rateLimits: true, trustedProxies: ['127.0.0.1'] })
  context.after(() => server.close())
  const owner = await createPerson(server, 'owner')
  const [{ general }, other] = [await makeSpace(owner), await makeSpace(owner)]
  const busy = await owner.client.webhooks.create(general, { name: 'Busy' })
  const calm = await owner.client.webhooks.create(other.general, { name: 'Calm' })
  // Each address has a limit of its own for each webhook. An empty message is refused after it was counted.
  const from = (number: number) => ({ headers: { 'x-forwarded-for': `192.0.2.${number % 30}` } })
  const statuses: number[] = []
  for (let sent = 0; sent < 600; sent += 1)
    statuses.push((await deliver(server, busy, { content: '' }, from(sent))).status)
  assert.deepEqual(new Set(statuses), new Set([400]))
  const second = await owner.client.webhooks.create(general, { name: 'Second' })
  const refused = await server.fetch(`/api/webhooks/${second.id}/${second.token}`, { method: 'POST' })
  assert.equal(refused.status, 429)
  assert.equal(refused.headers.get('x-ratelimit-limit'), '600')
  assert.ok(Number(refused.headers.get('retry-after')) <= 60)
  assert.equal((await deliver(server, calm, { content: 'calm' })).status, 204)
})

const MIB = 1024 * 1024

test('HTTP-7: long bodies that strangers never finish keep no webhook from posting', async (context) => {
  const server = await startTestServer({ trustedProxies: ['127.0.0.1'] })
  context.after(() => server.close())
  const owner = await createPerson(server, 'owner')
  const { general } = await makeSpace(owner)
  const webhook = await owner.client.webhooks.create(general, { name: 'Builds' })
  const port = Number(new URL(server.url).port)
  for (const address of ['192.0.2.1', '192.0.2.2']) {
    const socket = openSocket(port)
    context.after(() => socket.destroy())
    socket.write(
      `POST /api/auth/login HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${address}\r\nContent-Type: application/json\r\nContent-Length: ${32 * MIB}\r\n\r\n`,
    )
    socket.write(Buffer.alloc(32 * MIB - 1, ' '))
  }
  const long = { extra: 'x'.repeat(120 * 1024) }
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.3' }
  const logIn = () => server.fetch('/api/auth/login', { method: 'POST', headers, body: JSON.stringify(long) })
  while ((await logIn()).status !== 503) await new Promise(setImmediate)
  assert.equal((await deliver(server, webhook, { content: 'built', ...long })).status, 204)
})
