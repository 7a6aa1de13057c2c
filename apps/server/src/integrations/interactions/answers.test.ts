import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Interaction, InteractionCallbackBody } from '@foyer/protocol/interactions'
import { MessageFlag } from '@foyer/protocol/messages'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import {
  ask,
  askCommand,
  commandBody,
  makeBotSpace,
  type TestBotSpace,
  updatesOf,
} from '#test/scenes/interactions.ts'
import type { Answer } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let place: TestBotSpace

const commands = [
  { name: 'go', description: 'x' },
  {
    name: 'find',
    description: 'x',
    options: [{ name: 'n', description: 'x', type: 'integer', autocomplete: true }],
  },
]

before(async () => {
  server = await startTestServer()
})
after(() => server.close())
beforeEach(async () => {
  place = await makeBotSpace(server, commands)
})

/** Sends a callback with no credential but the token. */
async function callback({ id, token }: Pick<Interaction, 'id' | 'token'>, body: unknown): Promise<Answer> {
  const path = `/api/interactions/${id}/${token}/callback`
  const headers = { 'content-type': 'application/json' }
  const response = await server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  const code = response.headers.get('x-error-code')
  return { status: response.status, code, body: text === '' ? undefined : JSON.parse(text) }
}

const say = (content: string, flags = 0): InteractionCallbackBody => ({
  type: 'message',
  data: { content, flags },
})

async function history() {
  return place.asker.client.messages.list(place.space.general)
}

async function lastUpdate() {
  return (await updatesOf(server, place.asker)).at(-1)
}

test('INTERACTION-11, INTERACTION-12: an answer is a message of the bot, and the user is notified', async () => {
  const { asker, bot } = place
  const body = { ...(await commandBody(place, 'go')), nonce: 'mine' }
  const given = await ask(place, body)
  const data = {
    content: `for <@${asker.id}>`,
    embeds: [{ title: 'Title' }],
    components: [{ components: [{ type: 'button', label: 'More', custom_id: 'more' }] }],
  }
  const done = { status: 204, code: null, body: undefined }
  assert.deepEqual(await callback(given, { type: 'message', data }), done)
  const [message] = await history()
  const { interaction, application_id, type, author, mentions, embeds, components, content } = message ?? {}
  assert.deepEqual(
    [type, author?.id, application_id, content, embeds?.[0]?.title, mentions?.map(({ id }) => id)],
    [4, bot.id, bot.id, data.content, 'Title', [asker.id]],
  )
  assert.equal(components?.[0]?.components[0]?.custom_id, 'more')
  assert.deepEqual(
    [interaction?.id, interaction?.type, interaction?.name, interaction?.user.id],
    [given.id, 'command', 'go', asker.id],
  )
  const asked = { id: given.id, type: 'command', name: 'go', user_id: asker.id }
  const stored = sql`select interaction from messages where id = ${message?.id}`
  assert.deepEqual(await server.deps.database.query(stored), [{ interaction: asked }])
  assert.deepEqual(await updatesOf(server, asker), [
    {
      id: given.id,
      nonce: 'mine',
      application_id: bot.id,
      state: 'answered',
      message: null,
      choices: null,
      modal: null,
    },
  ])
})

test('INTERACTION-12: it mentions the users that the bot may mention, as far as allowed_mentions permits', async () => {
  const { asker, owner, space } = place
  const content = `<@${asker.id}> <@${owner.id}> @everyone`
  const mentioned = async (allowed_mentions: object | null) => {
    await callback(await askCommand(place, 'go'), { type: 'message', data: { content, allowed_mentions } })
    const [message] = await history()
    return [message?.mentions.length, message?.mention_everyone]
  }
  assert.deepEqual(await mentioned(null), [2, false])
  assert.deepEqual(await mentioned({ users: [asker.id] }), [1, false])
  await owner.client.roles.update(space.id, space.id, { permissions: 1254 | Permission.ManageMessages })
  assert.deepEqual(await mentioned({ parse: ['everyone'] }), [0, true])
})

test('INTERACTION-10: a token answers its own interaction, and an invalid one none', async () => {
  const [given, other] = [await askCommand(place, 'go'), await askCommand(place, 'go')]
  const forged = given.token.slice(0, -1) + (given.token.endsWith('A') ? 'B' : 'A')
  for (const [id, token] of [
    [given.id, other.token],
    [given.id, forged],
    [given.id, `${given.token}=`],
    [given.id, 'x'],
    [newId(), given.token],
  ])
    assert.equal((await callback({ id: id ?? '', token: token ?? '' }, 'x')).code, 'unknown_interaction')
  assert.equal((await callback({ ...given, id: 'x' }, say('x'))).status, 400)
  assert.deepEqual(await history(), [])
  assert.equal((await callback(given, say('x'))).status, 204)
})

test('INTERACTION-11: the first answer counts, and one of several simultaneous ones', async () => {
  const given = await askCommand(place, 'go')
  const lock = await holdLock(server, sql`select from interactions where id = ${given.id} for update`)
  const pending = Promise.all(
    [say('one'), say('two'), { type: 'deferred' }, say('four', MessageFlag.Ephemeral)].map((body) =>
      callback(given, body),
    ),
  )
  await lock.waitForBlocked(4)
  await lock.release()
  const codes = (await pending).map(({ status, code }) => code ?? status)
  assert.deepEqual(codes.map(String).toSorted(), ['204', ...Array(3).fill('interaction_answered')])
  assert.equal((await updatesOf(server, place.asker)).length, 1)
  assert.ok((await history()).length <= 1)
  const late = await callback(given, say('five'))
  assert.deepEqual([late.status, late.code], [400, 'interaction_answered'])
})

test('INTERACTION-11: an answer that was interrupted and sent again is still one message', async () => {
  const given = await askCommand(place, 'go')
  await callback(given, say('once'))
  // The state if the server could not record that the message was posted.
  await server.deps.database.execute(sql`update interactions set state = 'open' where id = ${given.id}`)
  assert.equal((await callback(given, say('once'))).status, 204)
  assert.equal((await history()).length, 1)
})

const button = { type: 'button', label: 'x', custom_id: 'x' }
const input = { type: 'text_input', label: 'x', custom_id: 'x' }
const modalOf = (...components: unknown[]) => ({
  type: 'modal',
  data: { modal: { custom_id: 'm', title: 'M', components: [{ components }] } },
})

test('INTERACTION-11, INTERACTION-15: a refused answer leaves the interaction open', async () => {
  const given = await askCommand(place, 'go')
  const refused: [unknown, string][] = [
    [{ type: 'shout' }, 'invalid_request'],
    [{ type: 'message' }, 'empty_message'],
    [say('  '), 'empty_message'],
    [say('x', MessageFlag.Loading), 'invalid_request'],
    [say('x', 16), 'invalid_request'],
    [say('x'.repeat(4001)), 'invalid_request'],
    [{ type: 'message', data: { components: [{ components: [input] }] } }, 'invalid_request'],
    [{ type: 'deferred', data: { flags: 1 } }, 'invalid_request'],
    [{ type: 'update', data: { content: 'x' } }, 'invalid_request'],
    [{ type: 'autocomplete', data: { choices: [] } }, 'invalid_request'],
    [{ type: 'modal' }, 'invalid_request'],
    [modalOf(button), 'invalid_request'],
    [modalOf(input, { ...input, custom_id: 'y' }), 'invalid_request'],
    [modalOf({ ...input, label: null }), 'invalid_request'],
    [modalOf({ ...input, custom_id: null }), 'invalid_request'],
    [modalOf({ ...input, min_length: 3, max_length: 2 }), 'invalid_request'],
    [modalOf({ ...input, value: 'abc', max_length: 2 }), 'invalid_request'],
    [modalOf({ ...input, style: 'danger' }), 'invalid_request'],
  ]
  for (const [body, code] of refused)
    assert.equal((await callback(given, body)).code, code, JSON.stringify(body))
  const { modal } = modalOf(input).data
  const twice = { ...modal, components: [...modal.components, ...modal.components] }
  const answer = await callback(given, { type: 'modal', data: { modal: twice } })
  assert.deepEqual(answer.body, {
    error: 'data.modal.components.1 has the same custom_id as another text input',
  })
  assert.deepEqual([await history(), await updatesOf(server, place.asker)], [[], []])
  assert.equal((await callback(given, say('at last'))).status, 204)
})

test('INTERACTION-12: a deferred message is posted, and filled in without counting as edited', async () => {
  const { bot } = place
  const given = await askCommand(place, 'go')
  assert.equal((await callback(given, { type: 'deferred' })).status, 204)
  const [promised] = await history()
  assert.deepEqual([promised?.flags, promised?.content, promised?.type], [MessageFlag.Loading, '', 4])
  assert.deepEqual([(await lastUpdate())?.state, (await lastUpdate())?.message], ['deferred', null])
  const said = await bot.client.interactions.updateAnswer(given, { content: 'said' })
  assert.deepEqual([said.id, said.flags, said.content, said.edited_at], [promised?.id, 0, 'said', null])
  const changed = await bot.client.interactions.updateAnswer(given, { content: 'changed' })
  assert.notEqual(changed.edited_at, null)
  assert.deepEqual(await history(), [changed])
})

test('INTERACTION-12: a public answer requires the permission to send', async () => {
  const { owner, bot, space } = place
  const given = await askCommand(place, 'go')
  await owner.client.overwrites.upsert(space.id, space.general, {
    target_id: bot.id,
    target_type: OverwriteTarget.Member,
    allow_flags: 0,
    deny_flags: Permission.SendMessages,
  })
  for (const body of [say('x'), { type: 'deferred' }])
    assert.equal((await callback(given, body)).code, 'missing_permission')
  assert.equal((await callback(given, say('x', MessageFlag.Ephemeral))).status, 204)
  const follow = (flags: number) =>
    bot.call('POST', `/api/interactions/${given.id}/${given.token}/messages`, { content: 'y', flags })
  assert.equal((await follow(0)).code, 'missing_permission')
  assert.equal((await follow(MessageFlag.Ephemeral)).status, 200)
})

test('INTERACTION-13: an ephemeral answer is in no history, and nobody else receives it', async () => {
  const { asker, owner, space, bot } = place
  const given = await askCommand(place, 'go')
  await callback(given, say('psst', MessageFlag.Ephemeral))
  const update = await lastUpdate()
  const { message } = update ?? {}
  assert.deepEqual(
    [update?.state, message?.content, message?.flags, message?.seq, message?.type, message?.author.id],
    ['answered', 'psst', 4, 0, 4, bot.id],
  )
  assert.deepEqual([message?.room_id, message?.interaction?.id], [space.general, given.id])
  assert.deepEqual(await history(), [])
  const path = `/api/rooms/${space.general}/messages/${message?.id}`
  for (const who of [asker, owner, bot]) assert.equal((await who.call('GET', path)).code, 'unknown_message')
  const rows = await server.deps.database.query(sql`
    select tenant_id, name from events where data like '%psst%'`)
  assert.deepEqual(rows, [{ tenant_id: asker.id, name: 'INTERACTION_UPDATE' }])
})

test('INTERACTION-15: suggestions answer the option being typed, and have its type', async () => {
  const body = await commandBody(place, 'find', [{ name: 'n', value: '1', focused: true }])
  const given = await ask(place, { ...body, type: 'autocomplete' })
  const suggest = (choices: unknown) => callback(given, { type: 'autocomplete', data: { choices } })
  assert.deepEqual((await suggest([{ name: 'One', value: '1' }])).body, {
    error: 'data.choices.0.value must be integer',
  })
  for (const other of [say('x'), { type: 'deferred' }, modalOf(input), { type: 'update' }])
    assert.equal((await callback(given, other)).code, 'invalid_request')
  assert.equal((await suggest([{ name: 'One', value: 1 }])).status, 204)
  assert.deepEqual((await lastUpdate())?.choices, [{ name: 'One', value: 1 }])
  assert.deepEqual(await history(), [])
})

test('INTERACTION-17: nothing can be answered once the bot is gone', async () => {
  const { owner, bot, space } = place
  const [given, answered] = [await askCommand(place, 'go'), await askCommand(place, 'go')]
  await callback(answered, say('before'))
  await owner.client.members.removeBot(space.id, bot.id)
  for (const body of [say('x'), say('x', 4), { type: 'deferred' }, modalOf(input)])
    assert.equal((await callback(given, body)).code, 'not_a_member')
  const path = `/api/interactions/${answered.id}/${answered.token}/messages`
  for (const [method, at, body] of [
    ['POST', path, { content: 'x' }],
    ['GET', `${path}/@original`, undefined],
    ['PATCH', `${path}/@original`, { content: 'x' }],
    ['DELETE', `${path}/@original`, undefined],
  ] as const)
    assert.equal((await bot.call(method, at, body)).code, 'not_a_member')
  assert.deepEqual(
    (await history()).map(({ content }) => content),
    ['before'],
  )
})

test('INTERACTION-17: nothing can be answered once the user or the room is gone', async () => {
  const { owner, asker, space } = place
  const given = await askCommand(place, 'go')
  await asker.client.members.leave(space.id)
  assert.equal((await callback(given, say('x'))).code, 'asker_gone')
  assert.equal((await callback(given, say('x', 4))).code, 'asker_gone')
  await owner.client.rooms.delete(space.id, space.general)
  assert.equal((await callback(given, say('x'))).code, 'unknown_room')
  const told = await listJournal(server, topicOf.room(space.id, space.general))
  assert.deepEqual(
    told.filter(({ name }) => name === 'MESSAGE_CREATE'),
    [],
  )
})
