import assert from 'node:assert/strict'
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { after, before, beforeEach, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { InteractionUpdate } from '@foyer/protocol/interactions'
import type { Message } from '@foyer/protocol/messages'
import { Bot, type BotOptions } from '@foyer/sdk/bot'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import {
  ask,
  commandBody,
  componentBody,
  makeBotSpace,
  type TestBotSpace,
} from '#test/scenes/interactions.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const EXAMPLE = fileURLToPath(new URL('../../../../../packages/sdk/examples/dice-bot.ts', import.meta.url))

let server: TestServer
let place: TestBotSpace
/** Gateway connection of the invoking user. */
let gateway: GatewayClient
let bots: Bot[] = []
let gateways: GatewayClient[] = []
let example: ChildProcessByStdio<null, Readable, Readable> | undefined
let errors: unknown[] = []

before(async () => {
  server = await startTestServer()
})
after(async () => {
  await Promise.all(bots.map((bot) => bot.stop()))
  for (const each of gateways) each.close()
  example?.kill()
  await server.close()
})
beforeEach(async () => {
  place = await makeBotSpace(server)
  gateway = await connect(server, place.asker)
  gateways = [...gateways, gateway]
  errors = []
})

/** Starts a bot with a command, a button and a modal. */
async function startBot(listen: NonNullable<BotOptions['listen']>): Promise<Bot> {
  const onError = (error: unknown) => errors.push(error)
  const bot = new Bot({ baseUrl: server.url, token: place.bot.token, listen, onError })
  const button = { type: 'button', label: 'Fill in', custom_id: 'fill' }
  const city = { name: 'city', description: 'Where', type: 'string', autocomplete: true }
  const input = { type: 'text_input', label: 'Name', custom_id: 'name' }
  const form = { custom_id: 'form', title: 'Form', components: [{ components: [input] }] }
  bot.command({ name: 'visit', description: 'Visits', options: [city] }, (interaction) =>
    interaction.reply({
      content: interaction.string('city', 'nowhere'),
      components: [{ components: [button] }],
      ephemeral: true,
    }),
  )
  bot.autocomplete('visit', (interaction) => interaction.suggest([`${interaction.focused.value}me`]))
  bot.component('fill', (interaction) => interaction.showModal(form))
  bot.modal('form', (interaction) =>
    interaction.update({ content: `for ${interaction.field('name')}`, components: [] }),
  )
  await bot.start()
  bots = [...bots, bot]
  return bot
}

/** Waits for the invoker's update of the interaction. */
async function updateOf(id: string): Promise<InteractionUpdate> {
  const { d } = await gateway.find((frame) => {
    return frame.t === 'INTERACTION_UPDATE' && frame.text.includes(`"id":"${id}","nonce"`)
  }, 'the answer')
  return JSON.parse(JSON.stringify(d))
}

async function invokeAndReceive(body: Parameters<typeof ask>[1]): Promise<InteractionUpdate> {
  const { id } = await place.asker.client.interactions.create(body)
  return updateOf(id)
}

for (const listen of ['gateway', 'poll'] as const) {
  test(`INTERACTION-7: a bot by ${listen} suggests, answers, opens a modal and updates its message`, async () => {
    const bot = await startBot(listen)
    const typed = await commandBody(place, 'visit', [{ name: 'city', value: 'Ro', focused: true }])
    const { choices } = await invokeAndReceive({ ...typed, type: 'autocomplete' })
    assert.deepEqual(choices, [{ name: 'Rome', value: 'Rome' }])
    const given = await commandBody(place, 'visit', [{ name: 'city', value: 'Rome' }])
    const { message } = await invokeAndReceive(given)
    assert.ok(message)
    assert.deepEqual([message.content, message.flags], ['Rome', 4])
    const use = componentBody(place, message.id, 'fill')
    const shown = await invokeAndReceive(use)
    assert.equal(shown.modal?.title, 'Form')
    const fields = [{ custom_id: 'name', value: 'Ada' }]
    const sent = { ...use, type: 'modal', modal: { interaction_id: shown.id, fields } }
    const filled = await invokeAndReceive(sent)
    assert.deepEqual([filled.message?.id, filled.message?.content], [message.id, 'for Ada'])
    assert.deepEqual(await place.asker.client.messages.list(place.space.general), [])
    assert.deepEqual(errors, [])
    await bot.stop()
  })
}

test('INTERACTION-9: an interaction taken by a bot that died is answered by the next one', async () => {
  const first = await startBot('poll')
  await first.stop()
  const given = await ask(place, await commandBody(place, 'visit'))
  await startBot('poll')
  await server.deps.database.execute(sql`
    update interactions set leased_until = now() + interval '1 second' where id = ${given.id}`)
  assert.equal((await updateOf(given.id)).message?.content, 'nowhere')
})

test('INTERACTION-9: a bot answers interactions from its absence when it is back', async () => {
  const first = await startBot('gateway')
  await first.stop()
  const { id } = await place.asker.client.interactions.create(await commandBody(place, 'visit'))
  await startBot('gateway')
  assert.equal((await updateOf(id)).message?.content, 'nowhere')
})

test('INTERACTION-11: one of two processes of a bot answers', async () => {
  await Promise.all([startBot('gateway'), startBot('poll')])
  const bodies = Array.from({ length: 5 }, () => commandBody(place, 'visit'))
  for (const body of await Promise.all(bodies)) await invokeAndReceive(body)
  await gateway.settle()
  assert.deepEqual([gateway.heard('INTERACTION_UPDATE').length, errors], [5, []])
})

test('INTERACTION-1, INTERACTION-12: interactions in a conversation with a bot work as in a room', async () => {
  const { asker, owner, bot } = place
  await bot.client.interactions.setCommands(bot.id, [{ name: 'go', description: 'x' }])
  const { id: conversation } = await asker.client.conversations.create({ recipient_ids: [bot.id] })
  const [command] = await asker.client.interactions.listOfConversation(conversation)
  assert.deepEqual([command?.name, command?.bot.id], ['go', bot.id])
  const body = { ...(await commandBody(place, 'go')), room_id: null, conversation_id: conversation }
  const given = await ask(place, body)
  assert.deepEqual([given.conversation_id, given.room_id, given.member], [conversation, null, null])
  await bot.client.interactions.answer(given, { type: 'message', data: { content: 'here' } })
  const psst = await bot.client.interactions.followUp(given, { content: 'psst', flags: 4 })
  assert.equal(psst.conversation_id, conversation)
  const messages = await asker.client.messages.list({ conversation })
  assert.deepEqual(
    messages.map(({ content, author }) => [content, author.id]),
    [['here', bot.id]],
  )
  const create = (change: object, who = asker) =>
    who.call('POST', '/api/interactions', { ...body, ...change })
  assert.equal((await create({}, owner)).code, 'unknown_conversation')
  const other = await makeBotSpace(server)
  assert.equal((await create({ application_id: other.bot.id })).code, 'unknown_application')
  await asker.client.friends.block(bot.id)
  assert.equal((await create({})).code, 'blocked_conversation')
})

/** Starts the example as its README says. */
async function startExample(listen: string): Promise<void> {
  const env = { ...process.env, BOT_TOKEN: place.bot.token }
  example = spawn(process.execPath, [EXAMPLE, server.url, listen], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  example.stderr.on('data', (text) => errors.push(String(text)))
  const [first] = await once(example.stdout, 'data')
  assert.equal(String(first), 'the dice are ready\n')
}

async function receivedMessage(name: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE'): Promise<Message> {
  const { d } = await gateway.findEvent(name)
  return JSON.parse(JSON.stringify(d))
}

test('INTERACTION-12: the example rolls dice, in 30 lines', async () => {
  await startExample('gateway')
  assert.ok((await readFile(EXAMPLE, 'utf8')).trimEnd().split('\n').length <= 30)
  await invokeAndReceive(await commandBody(place, 'roll', [{ name: 'sides', value: 1000 }]))
  const message = await receivedMessage('MESSAGE_CREATE')
  assert.match(message.content, /^🎲 [1-9]\d{0,3}$/)
  await invokeAndReceive(componentBody(place, message.id, 'roll:1000'))
  const changed = await receivedMessage('MESSAGE_UPDATE')
  assert.deepEqual([changed.id, changed.components], [message.id, message.components])
  assert.match(changed.content, /^🎲 [1-9]\d{0,3}$/)
  assert.deepEqual(errors, [])
})
