import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { ComponentRow } from '@foyer/protocol/components'
import type { Interaction, InteractionCallbackBody } from '@foyer/protocol/interactions'
import { type Message, MessageFlag } from '@foyer/protocol/messages'
import { ApiError } from '@foyer/sdk/rest'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import {
  ask,
  askCommand,
  componentBody,
  makeBotSpace,
  type TestBotSpace,
  updatesOf,
} from '#test/scenes/interactions.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let place: TestBotSpace

before(async () => {
  server = await startTestServer()
})
after(() => server.close())
beforeEach(async () => {
  place = await makeBotSpace(server, [{ name: 'go', description: 'x' }])
})

const { Ephemeral } = MessageFlag
const components: ComponentRow[] = [
  {
    components: [
      { type: 'button', label: 'Go', custom_id: 'go' },
      { type: 'button', label: 'No', custom_id: 'no', disabled: true },
      { type: 'button', label: 'Out', style: 'link', url: 'https://example.org' },
    ],
  },
  {
    components: [
      {
        type: 'select',
        custom_id: 'pick',
        min_values: 1,
        max_values: 2,
        options: ['a', 'b', 'c'].map((value) => ({ label: value, value })),
      },
    ],
  },
]

function answer(given: Interaction, body: InteractionCallbackBody): Promise<void> {
  return place.bot.client.interactions.answer(given, body)
}

/** Has the bot answer with a message that has components. Returns it. */
async function showComponents(flags = 0): Promise<Message> {
  const given = await askCommand(place, 'go')
  await answer(given, { type: 'message', data: { content: 'choose', components, flags } })
  return place.bot.client.interactions.getAnswer(given)
}

const refused = (code: string) => (error: unknown) => error instanceof ApiError && error.code === code

const history = async () =>
  (await place.asker.client.messages.list(place.space.general)).map(({ content }) => content).toReversed()

function use(message: Pick<Message, 'id'>, customId: string, values: string[] = [], who = place.asker) {
  return who.call('POST', '/api/interactions', componentBody(place, message.id, customId, values))
}

test('INTERACTION-4: a component is used as it is in its message at that moment', async () => {
  const message = await showComponents()
  const given = await ask(place, componentBody(place, message.id, 'pick', ['c', 'a']))
  assert.deepEqual(given.component, { custom_id: 'pick', values: ['c', 'a'], message })
  assert.equal(given.command, null)
  const wrong: [string, string[], string][] = [
    ['no', [], 'unknown_component'],
    ['nothing', [], 'unknown_component'],
    ['go', ['a'], 'invalid_request'],
    ['pick', [], 'invalid_request'],
    ['pick', ['a', 'b', 'c'], 'invalid_request'],
    ['pick', ['a', 'a'], 'invalid_request'],
    ['pick', ['d'], 'invalid_request'],
  ]
  for (const [id, values, code] of wrong) assert.equal((await use(message, id, values)).code, code)
  assert.equal((await use(message, 'go', [], place.owner)).status, 202)
  await place.bot.client.messages.update(place.space.general, message.id, { components: [] })
  assert.equal((await use(message, 'go')).code, 'unknown_component')
  await place.bot.client.messages.delete(place.space.general, message.id)
  assert.equal((await use(message, 'go')).code, 'unknown_message')
})

test('INTERACTION-4: only the bot’s messages in that room count, including those that answer nothing', async () => {
  const { owner, asker, bot, space } = place
  const plain = await bot.client.messages.create(space.general, { content: 'x', components })
  assert.equal((await use(plain, 'go')).status, 202)
  const elsewhere = await bot.client.messages.create(space.lounge, { content: 'x', components })
  const peoples = await asker.client.messages.create(space.general, { content: 'x' })
  for (const message of [elsewhere, peoples, { id: newId() }])
    assert.equal((await use(message, 'go')).code, 'unknown_message')
  const other = await makeBotSpace(server)
  await owner.client.members.addBot(space.id, other.bot.id)
  const body = { ...componentBody(place, plain.id, 'go'), application_id: other.bot.id }
  assert.equal((await asker.call('POST', '/api/interactions', body)).code, 'unknown_message')
})

test('INTERACTION-4, INTERACTION-14: only its user can use an ephemeral message, and it is updated for them', async () => {
  const { asker } = place
  const message = await showComponents(Ephemeral)
  assert.equal((await use(message, 'go', [], place.owner)).code, 'unknown_message')
  const elsewhere = { ...componentBody(place, message.id, 'go'), room_id: place.space.lounge }
  assert.equal((await asker.call('POST', '/api/interactions', elsewhere)).code, 'unknown_message')
  const given = await ask(place, componentBody(place, message.id, 'go'))
  assert.deepEqual(given.component?.message, message)
  await answer(given, { type: 'update', data: { content: 'chosen', components: [] } })
  const update = (await updatesOf(server, asker)).at(-1)
  assert.deepEqual(
    [update?.id, update?.message?.id, update?.message?.content, update?.message?.components],
    [given.id, message.id, 'chosen', []],
  )
  assert.equal((await use(message, 'go')).code, 'unknown_component')
  assert.deepEqual(await history(), [])
  await server.deps.database.execute(sql`
    update ephemeral_messages set expires_at = now() where id = ${message.id}`)
  assert.equal((await use(message, 'go')).code, 'unknown_message')
})

test('INTERACTION-14: an update changes the message whose component was used, or nothing', async () => {
  const message = await showComponents()
  const quiet = await ask(place, componentBody(place, message.id, 'go'))
  await answer(quiet, { type: 'update' })
  assert.deepEqual(await history(), ['choose'])
  const given = await ask(place, componentBody(place, message.id, 'go'))
  await answer(given, { type: 'update', data: { content: 'chosen' } })
  const [changed] = await place.asker.client.messages.list(place.space.general)
  assert.deepEqual(
    [changed?.id, changed?.content, changed?.components],
    [message.id, 'chosen', message.components],
  )
  assert.deepEqual((await updatesOf(server, place.asker)).at(-1)?.state, 'answered')
  const lost = await ask(place, componentBody(place, message.id, 'go'))
  await place.bot.client.messages.delete(place.space.general, message.id)
  await assert.rejects(answer(lost, { type: 'update', data: { content: 'x' } }), refused('unknown_message'))
  await answer(lost, { type: 'message', data: { content: 'instead' } })
  assert.deepEqual(await history(), ['instead'])
})

const modal = {
  custom_id: 'form',
  title: 'Form',
  components: [
    { components: [{ type: 'text_input', label: 'Name', custom_id: 'name', required: true, max_length: 5 }] },
    { components: [{ type: 'text_input', label: 'Why', custom_id: 'why', min_length: 2 }] },
  ],
}

test('INTERACTION-5, INTERACTION-15: a modal is submitted by the user who was shown it, with valid inputs', async () => {
  const { asker, owner, bot, space } = place
  const message = await showComponents()
  const shown = await ask(place, componentBody(place, message.id, 'go'))
  await answer(shown, { type: 'modal', data: { modal } })
  assert.deepEqual((await updatesOf(server, asker)).at(-1)?.modal, modal)
  const bodyOf = (fields: unknown[], interaction_id = shown.id) => ({
    application_id: bot.id,
    type: 'modal',
    room_id: space.general,
    modal: { interaction_id, fields },
  })
  const submit = (fields: unknown[], who = asker) => who.call('POST', '/api/interactions', bodyOf(fields))
  const field = (custom_id: string, value: string) => ({ custom_id, value })
  const wrong: [unknown[], string][] = [
    [[], 'modal.fields name is required'],
    [[field('name', ' ')], 'modal.fields name is required'],
    [[field('name', 'abcdef')], 'modal.fields name must have at most 5 characters'],
    [[field('name', 'a'), field('why', 'x')], 'modal.fields why must have at least 2 characters'],
    [[field('name', 'a'), field('age', 'x')], 'modal.fields.1 is not a field of the modal'],
    [[field('name', 'a'), field('name', 'b')], 'modal.fields has a field twice'],
  ]
  for (const [fields, error] of wrong) assert.deepEqual((await submit(fields)).body, { error })
  const good = [field('name', 'Ada')]
  assert.equal((await submit(good, owner)).code, 'unknown_interaction')
  for (const body of [bodyOf(good, newId()), { ...bodyOf(good), room_id: space.lounge }])
    assert.equal((await asker.call('POST', '/api/interactions', body)).code, 'unknown_interaction')
  const { modal: sent, ...given } = await ask(place, {
    ...componentBody(place, message.id, 'go'),
    type: 'modal',
    modal: { interaction_id: shown.id, fields: good },
  })
  assert.deepEqual(sent, { custom_id: 'form', fields: [...good, field('why', '')] })
  await answer({ ...given, modal: sent }, { type: 'update', data: { content: 'Ada it is' } })
  assert.deepEqual(await history(), ['Ada it is'])
})

test('INTERACTION-16: follow-up messages are sent, changed and deleted after the answer', async () => {
  const { interactions } = place.bot.client
  const given = await askCommand(place, 'go')
  await assert.rejects(interactions.followUp(given, { content: 'x' }), refused('interaction_unanswered'))
  await answer(given, { type: 'message', data: { content: 'one' } })
  const more = await interactions.followUp(given, { content: 'two' })
  assert.deepEqual([more.type, more.interaction?.id], [4, given.id])
  assert.deepEqual(await history(), ['one', 'two'])
  await interactions.updateFollowUp(given, more.id, { content: 'deux', flags: 1 })
  await interactions.updateAnswer(given, { embeds: [{ title: 'T' }] })
  assert.deepEqual(await interactions.getFollowUp(given, more.id).then(({ flags }) => flags), 1)
  assert.deepEqual(await history(), ['one', 'deux'])
  await interactions.deleteFollowUp(given, more.id)
  await interactions.deleteAnswer(given)
  assert.deepEqual(await history(), [])
  await assert.rejects(interactions.getAnswer(given), refused('unknown_message'))
})

test('INTERACTION-13, INTERACTION-16: ephemeral follow-up messages are sent, changed and deleted after the answer', async () => {
  const { interactions } = place.bot.client
  const given = await askCommand(place, 'go')
  await answer(given, { type: 'deferred', data: { flags: Ephemeral } })
  const updates = () => updatesOf(server, place.asker)
  const promised = (await updates()).at(-1)
  assert.deepEqual([promised?.state, promised?.message?.flags], ['deferred', 12])
  const said = await interactions.updateAnswer(given, { content: 'said' })
  assert.deepEqual([said.id, said.flags, said.edited_at], [promised?.message?.id, Ephemeral, null])
  const changed = await interactions.updateAnswer(given, { content: 'changed' })
  assert.notEqual(changed.edited_at, null)
  await assert.rejects(interactions.updateAnswer(given, { content: null }), refused('empty_message'))
  const more = await interactions.followUp(given, { content: 'more', flags: Ephemeral })
  await interactions.deleteFollowUp(given, more.id)
  await interactions.deleteAnswer(given)
  const told = (await updates()).map(({ state, message }) => [state, message?.content])
  assert.deepEqual(told, [
    ['deferred', ''],
    ['answered', 'said'],
    ['answered', 'changed'],
    ['answered', 'more'],
    ['deleted', 'more'],
    ['deleted', 'changed'],
  ])
  await assert.rejects(interactions.getAnswer(given), refused('unknown_message'))
  assert.deepEqual(await history(), [])
})

test('INTERACTION-16: other messages cannot be changed, and nothing can after 15 minutes', async () => {
  const { bot, space } = place
  const { interactions } = bot.client
  const own = await bot.client.messages.create(space.general, { content: 'own' })
  const other = await askCommand(place, 'go')
  await answer(other, { type: 'message', data: { content: 'other', flags: Ephemeral } })
  const foreign = await interactions.getAnswer(other)
  const given = await askCommand(place, 'go')
  await answer(given, { type: 'message', data: { content: 'one' } })
  for (const id of [own.id, foreign.id, newId()]) {
    await assert.rejects(interactions.updateFollowUp(given, id, { content: 'x' }), refused('unknown_message'))
    await assert.rejects(interactions.deleteFollowUp(given, id), refused('unknown_message'))
  }
  await assert.rejects(interactions.getFollowUp(given, 'latest'), refused('invalid_request'))
  await server.deps.database.execute(sql`
    update interactions set created_at = now() - interval '901 seconds' where id = ${given.id}`)
  await assert.rejects(interactions.followUp(given, { content: 'late' }), refused('interaction_expired'))
  await assert.rejects(interactions.deleteAnswer(given), refused('interaction_expired'))
  assert.deepEqual(await history(), ['own', 'one'])
})
