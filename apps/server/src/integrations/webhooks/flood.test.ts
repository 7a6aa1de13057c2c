import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rateLimits } from '#src/kernel/limits/rate-limits.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { openSocket } from '#test/kernel.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { deliver } from '#test/scenes/webhooks.ts'
import { startTestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

const ALLOWED = 30
const FLOOD = 40
const JSON_TYPE = { 'content-type': 'application/json' }

test('WEBHOOK-6: 30 messages a minute of a flood are posted, each once, and other webhooks are not affected', async (context) => {
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

test('RATE-15: the webhooks of a space may be executed 600 times a minute together, separately from those of others', async (context) => {
  const server = await startTestServer({ rateLimits: true, trustedProxies: ['127.0.0.1'] })
  context.after(() => server.close())
  const owner = await createPerson(server, 'owner')
  const [{ general }, other] = [await makeSpace(owner), await makeSpace(owner)]
  const busy = await owner.client.webhooks.create(general, { name: 'Busy' })
  const calm = await owner.client.webhooks.create(other.general, { name: 'Calm' })
  // The limit is per address and webhook. An empty message is refused after it was counted.
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

test('RATE-17: the webhooks in all spaces of an owner may be executed 3,000 times a minute together, separately from those of others', async (context) => {
  const server = await startTestServer({ rateLimits: true })
  context.after(() => server.close())
  const [owner, other] = [await createPerson(server, 'owner'), await createPerson(server, 'other')]
  const rooms = [await makeSpace(owner), await makeSpace(owner)]
  const elsewhere = (await makeSpace(other)).general
  const webhooks = await Promise.all(
    rooms.map(({ general }) => owner.client.webhooks.create(general, { name: 'Busy' })),
  )
  // Counting one by one would take most of the minute.
  const { limit, windowMs } = rateLimits.ownerWebhooks
  const counter = { subject: owner.id, name: 'ownerWebhooks', limit, windowMs }
  await server.deps.rateCounters?.charge(counter, 2998, Date.now())
  const execute = ({ id, token }: { id: string; token: string | null }) =>
    server.fetch(`/api/webhooks/${id}/${token}`, {
      method: 'POST',
      headers: JSON_TYPE,
      body: '{"content":"built"}',
    })
  const answers = []
  for (const webhook of [...webhooks, ...webhooks]) answers.push(await execute(webhook))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 204, 429, 429],
  )
  assert.equal(answers.at(-1)?.headers.get('x-ratelimit-limit'), '3000')
  const calm = await other.client.webhooks.create(elsewhere, { name: 'Calm' })
  assert.equal((await execute(calm)).status, 204)
})

test('WEBHOOK-23: simultaneous executions of one owner are posted one by one, with other messages in between', async (context) => {
  const server = await startTestServer()
  context.after(() => server.close())
  const owner = await createPerson(server, 'owner')
  const { id, general } = await makeSpace(owner)
  const webhook = await owner.client.webhooks.create(general, { name: 'Builds' })
  const lock = await holdLock(
    server,
    sql`select from message_heads where tenant_id = ${id} and channel_id = ${general} for update`,
  )
  const first = deliver(server, webhook, { content: 'first' })
  await lock.waitForBlocked(1)
  const flood = Array.from({ length: FLOOD }, (_, index) => deliver(server, webhook, { content: `${index}` }))
  await until(async () => server.deps.webhookTurns.waiting === FLOOD, 'all of the flood waits')
  const said = owner.client.messages.create(general, { content: 'hello' })
  // By then the message has reached the writer. It waits for the current batch, and hardly for the flood.
  await owner.client.messages.list(general, { limit: 1 })
  await lock.release()
  const statuses = (await Promise.all([first, ...flood])).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([204]))
  assert.ok((await said).seq < FLOOD / 4, `seq ${(await said).seq}`)
})

test('WEBHOOK-23: edits and deletions of one owner’s webhooks take turns', async (context) => {
  const server = await startTestServer()
  context.after(() => server.close())
  const owner = await createPerson(server, 'owner')
  const { general } = await makeSpace(owner)
  const webhook = await owner.client.webhooks.create(general, { name: 'Builds' })
  const post = (content: string) => owner.client.webhooks.execute(webhook, { content })
  const [first, second, third] = [await post('first'), await post('second'), await post('third')]
  const lock = await holdLock(server, sql`select from messages where id = ${first.id} for update`)
  const { webhooks } = owner.client
  const editing = webhooks.updateMessage(webhook, first.id, { content: 'edited' })
  await lock.waitForBlocked(1)
  const others = [
    webhooks.updateMessage(webhook, second.id, { content: 'edited' }),
    webhooks.deleteMessage(webhook, third.id),
  ]
  await until(async () => server.deps.webhookTurns.waiting === others.length, 'the others wait')
  await lock.release()
  await Promise.all([editing, ...others])
  const left = await owner.client.messages.list(general, { limit: 10 })
  assert.deepEqual(new Set(left.map(({ content }) => content)), new Set(['edited']))
})

const MIB = 1024 * 1024

test('HTTP-7: unfinished long bodies of strangers keep no webhook from posting', async (context) => {
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
