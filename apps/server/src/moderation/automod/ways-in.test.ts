import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ALL_CAPABILITIES, Capability } from '@foyer/protocol/capabilities'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { Automod } from '@foyer/sdk/api/automod'
import { ApiError } from '@foyer/sdk/rest'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { CAUGHT, wordRule } from '#test/scenes/automod.ts'
import { makeDirect } from '#test/scenes/conversations.ts'
import { askCommand, makeBotSpace, type TestBotSpace } from '#test/scenes/interactions.ts'
import { note, postForm, putUpload } from '#test/scenes/messages.ts'
import { createApplicationBot, createPerson } from '#test/scenes/people.ts'
import { formOf } from '#test/scenes/pictures.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { deliver } from '#test/scenes/webhooks.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let place: TestBotSpace

before(async () => {
  server = await startTestServer()
})
after(() => server.close())
beforeEach(async () => {
  place = await makeBotSpace(server, [{ name: 'say', description: 'says something' }])
})

/** Shows a text in the space. */
type Way = (text: string) => Promise<unknown>

/** Runs the way without and with the word, and checks that only the word stops it. */
async function check(name: string, way: Way): Promise<void> {
  assert.equal(await resultOf(way('a fine text')), 'ok', name)
  assert.equal(await resultOf(way(`a ${CAUGHT}`)), 'automod_refused', name)
}

/** Returns the error code of a call; ok for a success. Calls without the SDK return their answer. */
async function resultOf(call: Promise<unknown>): Promise<unknown> {
  try {
    const answer = await call
    const isError = typeof answer === 'object' && answer !== null && 'code' in answer && answer.code !== null
    return isError && 'status' in answer ? answer.code : 'ok'
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    return error.code
  }
}

async function sourcesOf({ owner, space }: TestBotSpace): Promise<string[]> {
  const { hits } = await owner.client.api(Automod).listHits(space.id)
  return hits.map(({ source }) => source).toReversed()
}

test('AUTOMOD-4: messages, edits, replies, forwards and files are checked', async () => {
  const { owner, asker, space } = place
  const { messages } = asker.client
  const own = await messages.create(space.general, { content: 'own' })
  const elsewhere = await makeSpace(owner, [asker])
  const forwarded = async (content: string) => {
    const { id: message_id } = await owner.client.messages.create(elsewhere.general, { content })
    const reference = { type: 1, message_id, room_id: elsewhere.general }
    return messages.create(space.general, { reference })
  }
  const file = (name: string) => postForm(asker, space.general, formOf(['files', note('x', name)]))
  await wordRule(owner, space)
  await check('message', (content) => messages.create(space.general, { content }))
  await check('edit', (content) => messages.update(space.general, own.id, { content }))
  await check('reply', (content) =>
    messages.create(space.general, { content, reference: { message_id: own.id } }),
  )
  await check('forward', forwarded)
  await check('name of a file', (text) => file(`${text}.txt`))
  await check('description of a file', async (description) => {
    const id = await putUpload(asker, space.general, note('x'))
    return messages.create(space.general, { attachment_ids: [id], attachments: [{ id, description }] })
  })
  assert.equal((await messages.get(space.general, own.id)).content, 'a fine text')
})

test('AUTOMOD-4: what webhooks post and change is checked, including their names', async () => {
  const { owner, space } = place
  const webhook = await owner.client.webhooks.create(space.general, { name: 'news' })
  const key = { id: webhook.id, token: webhook.token ?? '' }
  const post = (body: object, path = '') => deliver(server, webhook, body, { path })
  const { webhooks } = owner.client
  const { id } = await webhooks.execute(key, { content: 'first' })
  await wordRule(owner, space)
  await check('webhook', (content) => post({ content }))
  const embeds: Readonly<Record<string, (text: string) => object>> = {
    description: (description) => ({ description }),
    title: (title) => ({ title }),
    author: (name) => ({ title: 'x', author: { name } }),
    footer: (text) => ({ title: 'x', footer: { text } }),
    field: (name) => ({ fields: [{ name, value: 'x' }] }),
    value: (value) => ({ fields: [{ name: 'x', value }] }),
  }
  for (const [part, embed] of Object.entries(embeds))
    await check(`${part} of an embed`, (text) => post({ embeds: [embed(text)] }))
  await check('name', (username) => post({ content: 'hi', username }))
  await check('Slack', (text) => post({ text }, '/slack'))
  await check('edit', (content) => webhooks.updateMessage(key, id, { content }))
  await check('edited embed', (title) => webhooks.updateMessage(key, id, { embeds: [{ title }] }))
  const hits = (await owner.client.api(Automod).listHits(space.id)).hits
  assert.deepEqual([...new Set(hits.map(({ user_id }) => user_id))], [null])
})

test('AUTOMOD-4: answers of bots are checked: the first, later ones, those for one user, and changes', async () => {
  const { owner, bot, space } = place
  const { interactions } = bot.client
  await wordRule(owner, space)
  await check('answer', async (content) => {
    const { id, token } = await askCommand(place, 'say')
    return interactions.answer({ id, token }, { type: 'message', data: { content } })
  })
  const { id, token } = await askCommand(place, 'say')
  const to = { id, token }
  await interactions.answer(to, { type: 'message', data: { content: 'first' } })
  await check('follow-up', (content) => interactions.followUp(to, { content }))
  await check('answer for one', (content) => interactions.followUp(to, { content, flags: 4 }))
  await check('button', (label) => {
    const button = { type: 'button', custom_id: 'b', label }
    return interactions.followUp(to, { content: 'x', components: [{ components: [button] }] })
  })
  await check('change', (content) => interactions.updateAnswer(to, { content }))
  const { id: forOne } = await interactions.followUp(to, { content: 'x', flags: 4 })
  await check('change for one', (content) => interactions.updateFollowUp(to, forOne, { content }))
  assert.deepEqual([...new Set(await sourcesOf(place))], ['bot_answer', 'edit'])
})

test('AUTOMOD-4: forms and suggestions of bots are checked', async () => {
  const { owner, bot, space } = place
  const { interactions } = bot.client
  await wordRule(owner, space)
  const answer = async (body: Parameters<typeof interactions.answer>[1]) => {
    const { id, token } = await askCommand(place, 'say')
    return interactions.answer({ id, token }, body)
  }
  const input = (label: string) => ({ type: 'text_input', custom_id: 'i', label })
  const form = (title: string, label: string) =>
    answer({
      type: 'modal',
      data: { modal: { custom_id: 'm', title, components: [{ components: [input(label)] }] } },
    })
  await check('title of a form', (title) => form(title, 'x'))
  await check('label in a form', (label) => form('x', label))
})

test('AUTOMOD-4: a bot whose name a rule catches cannot be added', async () => {
  const { owner, asker, space } = place
  const manager = await owner.client.roles.create(space.id, {
    name: 'bots',
    permissions: Permission.ManageBots,
  })
  await owner.client.roles.assign(space.id, asker.id, manager.id)
  const bad = await createApplicationBot(server, owner, { name: `a ${CAUGHT}` })
  await wordRule(owner, space)
  const add = () => asker.call('PUT', `/api/spaces/${space.id}/bots/${bad.id}`)
  assert.equal((await add()).code, 'automod_refused')
})

test('AUTOMOD-4: mentions that an edit adds are counted, also without a new text', async () => {
  const { owner, asker, space } = place
  const roles = [
    await owner.client.roles.create(space.id, { name: 'a' }),
    await owner.client.roles.create(space.id, { name: 'b' }),
  ]
  await wordRule(owner, space, { trigger: { type: 'mentions', max: 1 } })
  const content = [owner.id, asker.id].map((id) => `<@${id}>`).join(' ')
  const path = `/api/rooms/${space.general}/messages`
  const sent = await asker.client.messages.create(space.general, { content, allowed_mentions: { parse: [] } })
  const edit = (body: object) => asker.call('PATCH', `${path}/${sent.id}`, body)
  assert.equal((await edit({ allowed_mentions: { parse: ['users'] } })).code, 'automod_refused')
  await owner.client.roles.update(space.id, space.id, {
    capabilities: ALL_CAPABILITIES & ~Capability.ManageAutomod,
  })
  const both = roles.map(({ id }) => `<@&${id}>`).join(' ')
  assert.equal((await edit({ content: both })).code, 'automod_refused')
})

test('AUTOMOD-4: texts that were there before the rule do not stop other changes', async () => {
  const { owner, asker, space } = place
  const role = await owner.client.roles.create(space.id, {
    name: 'r',
    permissions: Permission.ManageChannels,
  })
  await owner.client.roles.assign(space.id, asker.id, role.id)
  await owner.client.rooms.update(space.id, space.general, { name: CAUGHT })
  await wordRule(owner, space)
  const update = (body: object) => asker.call('PATCH', `/api/spaces/${space.id}/rooms/${space.general}`, body)
  assert.equal((await update({ name: CAUGHT, slow_mode_seconds: 5 })).status, 200)
  assert.equal((await update({ name: `${CAUGHT}s and a ${CAUGHT}` })).code, 'automod_refused')
})

test('AUTOMOD-4: whoever takes another name while joining does not join with it', async () => {
  const { owner, space } = place
  const guest = await createPerson(server, `guest${newId()}`)
  const { code } = await owner.client.invites.create(space.id, space.general)
  await wordRule(owner, space)
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const joining = guest.call('POST', `/api/invites/${code}`)
  await lock.waitForBlocked(1)
  await guest.client.users.updateMe({ alias: CAUGHT })
  await lock.release()
  assert.equal((await joining).code, 'changed_since')
})

test('AUTOMOD-4: nicknames, names, statuses and texts of rooms are checked', async () => {
  const { owner, asker, space } = place
  const manager = await createPerson(server, `manager${newId()}`)
  const { code } = await owner.client.invites.create(space.id, space.general)
  await manager.client.invites.join(code)
  const permissions = Permission.ManageChannels
  const role = await owner.client.roles.create(space.id, { name: 'rooms', permissions })
  await owner.client.roles.assign(space.id, manager.id, role.id)
  await wordRule(owner, space)
  const { client } = asker
  await check('nickname', (nickname) => client.members.updateMe(space.id, { nickname }))
  await check('display name', (alias) => client.users.updateMe({ alias }))
  await check('status', (custom) => client.users.updateMe({ custom }))
  await check('new room', (name) => manager.client.rooms.create(space.id, { name, type: RoomType.Text }))
  await check('room', (name) => manager.client.rooms.update(space.id, space.general, { name }))
  await check('topic', (description) => manager.client.rooms.update(space.id, space.general, { description }))
  assert.deepEqual(await sourcesOf(place), [
    'nickname',
    'display_name',
    'status',
    'room_name',
    'room_name',
    'room_name',
  ])
})

test('AUTOMOD-4: a user whose name a rule catches cannot join', async () => {
  const { owner, space } = place
  const guest = await createPerson(server, `guest${newId()}`)
  await guest.client.users.updateMe({ alias: CAUGHT })
  const { code } = await owner.client.invites.create(space.id, space.general)
  await wordRule(owner, space, { message: 'Choose another name.', timeout_minutes: 5 })
  const join = () => guest.call('POST', `/api/invites/${code}`)
  const { body } = await join()
  assert.deepEqual(body, { error: 'Choose another name.' })
  assert.equal((await owner.call('GET', `/api/spaces/${space.id}/members/${guest.id}`)).status, 404)
  await guest.client.users.updateMe({ alias: 'Ada' })
  assert.equal((await join()).status, 200)
})

test('AUTOMOD-4: rules of one space do not concern another, and none concerns conversations', async () => {
  const { owner, asker, space } = place
  await wordRule(owner, space)
  const elsewhere = await makeSpace(owner, [asker])
  await asker.client.messages.create(elsewhere.general, { content: CAUGHT })
  await asker.client.members.updateMe(elsewhere.id, { nickname: CAUGHT })
  const { id: conversation } = await makeDirect(server, owner, asker)
  await asker.client.messages.create({ conversation }, { content: CAUGHT })
})
