import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import type { Webhook } from '@foyer/protocol/webhooks'
import { newId } from '#src/kernel/ids.ts'
import { note } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { formOf, png } from '#test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { askByToken, deliver } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let space: TestSpace
let webhook: Webhook

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  space = await makeSpace(owner)
  webhook = await owner.client.webhooks.create(space.general, { name: 'News' })
})
after(() => server.close())

const post = (body: object): Promise<Message> => owner.client.webhooks.execute(webhook, body)

async function newest(): Promise<Message> {
  const [message] = await owner.client.messages.list(space.general, { limit: 1 })
  assert.ok(message !== undefined)
  return message
}

test('WEBHOOK-18: the paths of all versions of Discord’s API lead to the webhook', async () => {
  const at = `/webhooks/${webhook.id}/${webhook.token}`
  const send = (prefix: string, method: string, path: string, body?: object) =>
    server.fetch(`${prefix}${at}${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
  for (const prefix of ['/api', '/api/v6', '/api/v10']) {
    const sent = await send(prefix, 'POST', '?wait=true', { content: prefix })
    const { id }: Message = JSON.parse(await sent.text())
    assert.deepEqual([sent.status, (await newest()).content], [200, prefix])
    const edited = await send(prefix, 'PATCH', `/messages/${id}`, { content: 'edited' })
    await edited.body?.cancel()
    const read = await send(prefix, 'GET', '')
    const shown: object = JSON.parse(await read.text())
    assert.deepEqual([edited.status, read.status, 'token' in shown], [200, 200, true])
    const slack = await send(prefix, 'POST', '/slack', { text: 'slack' })
    assert.deepEqual([slack.status, await slack.text()], [200, 'ok'])
  }
  const other = await owner.call('GET', '/api/v10/spaces')
  assert.equal(other.status, 404)
  const own = await owner.call('GET', `/api/v10/webhooks/${webhook.id}`)
  assert.equal(own.status, 200)
})

test('WEBHOOK-19: a 429 says when to try again: in milliseconds for old versions, in seconds from version 8', async (context) => {
  const limited = await startTestServer({ rateLimits: true })
  context.after(() => limited.close())
  const person = await createPerson(limited, 'owner')
  const { general } = await makeSpace(person)
  const { id, token } = await person.client.webhooks.create(general, { name: 'Flooded' })
  const send = async (prefix: string, path = '') => {
    const response = await limited.fetch(`${prefix}/webhooks/${id}/${token}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"content": "", "text": ""}',
    })
    const text = await response.text()
    const body: unknown = response.status === 429 ? JSON.parse(text) : undefined
    return { status: response.status, seconds: Number(response.headers.get('retry-after')), body, response }
  }
  while ((await send('/api')).status !== 429);
  for (const [prefix, path, factor] of [
    ['/api', '', 1000],
    ['/api/v7', '/slack', 1000],
    ['/api/v8', '', 1],
    ['/api/v10', '/github', 1],
  ] as const) {
    const { status, seconds, body, response } = await send(prefix, path)
    assert.equal(status, 429)
    assert.ok(seconds >= 1)
    // discord.py parses no other content type.
    assert.equal(response.headers.get('content-type'), 'application/json')
    assert.deepEqual(body, {
      error: 'too many requests, try again later',
      retry_after: seconds * factor,
      global: false,
    })
  }
  const login = () => limited.fetch('/api/auth/login', { method: 'POST' })
  while ((await login()).status !== 429);
  assert.deepEqual(JSON.parse(await (await login()).text()), { error: 'too many requests, try again later' })
})

test('WEBHOOK-20: thread_id posts in the thread that begins with that message', async () => {
  const root = await owner.client.messages.create(space.general, { content: 'root' })
  const path = `?wait=true&thread_id=${root.id}`
  const { status } = await deliver(server, webhook, { content: 'in the thread' }, { path })
  const reply = await newest()
  assert.deepEqual(
    [status, reply.content, reply.thread_id, reply.reference?.message_id, reply.mentions],
    [200, 'in the thread', root.id, root.id, []],
  )
  const read = (thread: string) =>
    askByToken(server, webhook, { method: 'GET', path: `/messages/${reply.id}?thread_id=${thread}` })
  assert.equal((await read(root.id)).status, 200)
  assert.equal((await read(newId())).code, 'unknown_message')
  const elsewhere = await owner.client.messages.create(space.lounge, { content: 'elsewhere' })
  for (const wrong of [newId(), elsewhere.id, reply.id, '1234567890123456789', space.general]) {
    const answer = await deliver(server, webhook, { content: 'lost' }, { path: `?thread_id=${wrong}` })
    assert.deepEqual([answer.status, answer.code], [404, 'unknown_message'], wrong)
  }
  assert.equal((await newest()).id, reply.id)
})

test('WEBHOOK-21: buttons with an address are kept, whatever else is among them', async () => {
  const link = { type: 2, style: 5, label: 'Runbook', url: 'https://example.org/runbook' }
  const press = { type: 2, style: 1, label: 'Press', custom_id: 'press' }
  const select = { type: 3, custom_id: 'pick', options: [{ label: 'a', value: 'a' }] }
  const rows = [
    { type: 1, components: [link, press, { ...link, label: undefined, emoji: { id: null, name: '🔥' } }] },
    { type: 1, components: [select] },
    { type: 1, components: [{ ...link, url: 'javascript:alert(1)' }, { ...link, label: '' }, null, 7] },
    'nonsense',
  ]
  const button = {
    type: 'button',
    style: 'link',
    label: 'Runbook',
    url: 'https://example.org/runbook',
    disabled: false,
  }
  const { label, ...bare } = button
  const message = await post({ content: 'alert', components: rows })
  assert.deepEqual(message.components, [{ components: [button, { ...bare, emoji: '🔥' }] }])
  assert.deepEqual((await newest()).components, message.components)
  const ours = [{ components: [button] }]
  assert.deepEqual((await post({ components: ours })).components, ours)
  const edited = await owner.client.webhooks.updateMessage(webhook, message.id, { components: [] })
  assert.deepEqual([edited.content, edited.components], ['alert', []])
  for (const nothing of [[{ type: 1, components: [press] }], 'x', 7, null])
    assert.equal((await deliver(server, webhook, { components: nothing })).code, 'empty_message')
})

test('WEBHOOK-22: a timestamp without a zone is UTC', async () => {
  const times = {
    '2026-11-23T15:46:32.361000': '2026-11-23T15:46:32.361Z',
    '2026-11-23T15:46:32': '2026-11-23T15:46:32.000Z',
    '2026-11-23 15:46:32': '2026-11-23T15:46:32.000Z',
    '2026-11-23T16:46:32+01:00': '2026-11-23T15:46:32.000Z',
    '2026-11-23': '2026-11-23T00:00:00.000Z',
  }
  for (const [timestamp, expected] of Object.entries(times)) {
    const { embeds } = await post({ embeds: [{ title: 'x', timestamp }] })
    assert.equal(embeds[0]?.timestamp, expected, timestamp)
  }
  const bad = ['2026-13-01T00:00:00', 'yesterday', '1700000000', '15:46']
  for (const timestamp of bad) {
    const { code } = await deliver(server, webhook, { embeds: [{ title: 'x', timestamp }] })
    assert.equal(code, 'invalid_request', timestamp)
  }
})

test('WEBHOOK-6: a form with files is answered with the message, as in Discord', async () => {
  const response = await deliver(server, webhook, formOf(['content', 'report'], ['file', note('report')]))
  assert.deepEqual([response.status, response.body], [200, await newest()])
})

test('WEBHOOK-28: files have the descriptions that Discord’s clients send for them', async () => {
  const send = (attachments: unknown) => {
    const json = JSON.stringify({ content: 'described', attachments })
    return deliver(
      server,
      webhook,
      formOf(['payload_json', json], ['files[0]', note('log')], ['files[1]', picture]),
    )
  }
  const picture = await png()
  const described = [
    { id: '1', filename: 'picture.png', description: ' A graph ' },
    { id: 9, description: 'of nothing' },
    { filename: 'note.txt', description: 'of no id' },
  ]
  const { status, body } = await send(described)
  const message = await newest()
  assert.deepEqual([status, body], [200, message])
  assert.deepEqual(
    message.attachments.map(({ filename, description }) => [filename, description]),
    [
      ['note.txt', null],
      ['picture.png', 'A graph'],
    ],
  )
  for (const bad of ['x'.repeat(1025), 7, 'bell\u0007']) {
    const refused = await send([{ id: 0, description: bad }])
    assert.deepEqual([refused.status, refused.code], [400, 'invalid_request'])
  }
  assert.deepEqual(await newest(), message)
  for (const nothing of [null, []]) assert.equal((await send(nothing)).status, 200)
})
