import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Message } from '@foyer/protocol/messages'
import type { Webhook } from '@foyer/protocol/webhooks'
import { IncomingWebhook } from '@slack/webhook'
import { AttachmentBuilder, EmbedBuilder, WebhookClient } from 'discord.js'
import { MessageBuilder, Webhook as NodeWebhook } from 'discord-webhook-node'
import { createPerson, type Person } from '../apps/server/test/scenes/people.ts'
import { png } from '../apps/server/test/scenes/pictures.ts'
import { makeSpace, type TestSpace } from '../apps/server/test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '../apps/server/test/server.ts'

let server: TestServer
let owner: Person
let space: TestSpace
let webhook: Webhook
let address: string

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  space = await makeSpace(owner)
  webhook = await owner.client.webhooks.create(space.general, { name: 'News' })
  address = `${server.url}/api/webhooks/${webhook.id}/${webhook.token}`
})
after(() => server.close())

async function newest(): Promise<Message> {
  const [message] = await owner.client.messages.list(space.general, { limit: 1 })
  assert.ok(message !== undefined)
  return message
}

function discordClient(token = webhook.token ?? ''): WebhookClient {
  return new WebhookClient({ id: webhook.id, token }, { rest: { api: `${server.url}/api` } })
}

test('WEBHOOK-29: discord.js posts, reads, edits and deletes a message', async () => {
  const client = discordClient()
  const embed = new EmbedBuilder().setTitle('Build 7').setColor(0x00ff00).setTimestamp(0)
  const sent = await client.send({ content: 'running', embeds: [embed], username: 'CI' })
  const { id, author, content, embeds } = await newest()
  assert.deepEqual([sent.id, author.username, content], [id, 'CI', 'running'])
  assert.deepEqual([embeds[0]?.title, embeds[0]?.color], ['Build 7', 0x00ff00])
  const edited = await client.editMessage(sent.id, { content: 'done', embeds: [] })
  assert.deepEqual([edited.content, (await newest()).embeds], ['done', []])
  assert.equal((await client.fetchMessage(sent.id)).content, 'done')
  await client.deleteMessage(sent.id)
  await assert.rejects(client.fetchMessage(sent.id), { status: 404 })
})

test('WEBHOOK-29: discord.js sends files with their descriptions', async () => {
  const picture = Buffer.from(await (await png()).arrayBuffer())
  const files = [
    new AttachmentBuilder(Buffer.from('log'), { name: 'build.log' }),
    new AttachmentBuilder(picture, { name: 'graph.png', description: 'Time of each build' }),
  ]
  await discordClient().send({ content: 'report', files })
  const { attachments } = await newest()
  assert.deepEqual(
    attachments.map(({ filename, description }) => [filename, description]),
    [
      ['build.log', null],
      ['graph.png', 'Time of each build'],
    ],
  )
})

test('WEBHOOK-29: discord.js posts in a thread, and receives refusals', async () => {
  const root = await owner.client.messages.create(space.general, { content: 'root' })
  await discordClient().send({ content: 'in the thread', threadId: root.id })
  assert.equal((await newest()).thread_id, root.id)
  await assert.rejects(discordClient().send({ content: 'x'.repeat(5000) }), { status: 400 })
  await assert.rejects(discordClient('wrong').send('lost'), { status: 404 })
})

test('WEBHOOK-29: discord.js renames and deletes the webhook', async () => {
  const brief = await owner.client.webhooks.create(space.general, { name: 'Brief' })
  const client = new WebhookClient(
    { id: brief.id, token: brief.token ?? '' },
    { rest: { api: `${server.url}/api` } },
  )
  await client.edit({ name: 'Renamed' })
  const listed = await owner.client.webhooks.listOfRoom(space.general)
  assert.equal(listed.find(({ id }) => id === brief.id)?.name, 'Renamed')
  await client.delete()
  await assert.rejects(client.send('too late'), { status: 404 })
})

test('WEBHOOK-29: discord-webhook-node posts texts, embeds and files', async (context) => {
  const hook = new NodeWebhook(address)
  hook.setUsername('Node')
  await hook.send('hello')
  const { content, author } = await newest()
  assert.deepEqual([content, author.username], ['hello', 'Node'])
  await hook.send(new MessageBuilder().setTitle('Deployed').addField('to', 'production'))
  const [card] = (await newest()).embeds
  assert.deepEqual([card?.title, card?.fields[0]?.value], ['Deployed', 'production'])
  const folder = await mkdtemp(join(tmpdir(), 'foyer-clients-'))
  context.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'notes.txt')
  await writeFile(path, 'notes')
  await hook.sendFile(path)
  assert.deepEqual(
    (await newest()).attachments.map(({ filename }) => filename),
    ['notes.txt'],
  )
  await assert.rejects(new NodeWebhook(`${address}x`).send('lost'), /404/)
})

test('WEBHOOK-29: @slack/webhook posts texts, blocks and attachments', async () => {
  const hook = new IncomingWebhook(`${address}/slack`, { username: 'Slack' })
  assert.deepEqual(await hook.send('*hello*'), { text: 'ok' })
  const { content, author } = await newest()
  assert.deepEqual([content, author.username], ['**hello**', 'Slack'])
  await hook.send({
    text: 'fallback',
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '<https://example.org|Title>' } }],
    attachments: [{ color: 'good', title: 'Deployed', text: 'to production' }],
  })
  const message = await newest()
  assert.equal(message.content, '[Title](https://example.org)')
  assert.equal(message.embeds[0]?.title, 'Deployed')
  await assert.rejects(new IncomingWebhook(`${address}x/slack`).send('lost'), /404/)
})
