import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Capability, DEFAULT_CAPABILITIES } from '@foyer/protocol/capabilities'
import { ReferenceType } from '@foyer/protocol/messages'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { ApiError } from '@foyer/sdk/rest'
import { makeDirect } from '#test/scenes/conversations.ts'
import { note, putUpload } from '#test/scenes/messages.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { AttachFiles, AddReactions, EmbedLinks, MentionEveryone } = Capability

let server: TestServer
let owner: Person
let ada: Person
let bot: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  ada = await createPerson(server, 'ada')
  bot = await createApplicationBot(server, owner, { name: 'helper' })
})
after(() => server.close())

beforeEach(async () => {
  space = await makeSpace(owner, [ada])
  await owner.client.members.addBot(space.id, bot.id)
})

/** Denies a capability to @everyone in #general. */
async function deny(deny_capabilities: number): Promise<void> {
  await owner.client.overwrites.upsert(space.id, space.general, {
    target_id: space.id,
    target_type: OverwriteTarget.Role,
    allow_flags: 0,
    deny_flags: 0,
    deny_capabilities,
  })
}

const MISSING = '403 missing_permission'

/** Returns the status and code with which the call was refused. */
async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    if (error instanceof ApiError) return `${error.status} ${error.code}`
    throw error
  }
  return 'not refused'
}

test('CAPABILITY-12: without AttachFiles no file enters the room, by form, upload or forward', async () => {
  const { id: lounging } = await ada.client.messages.createWithFiles(space.general, { content: 'x' }, [
    note('1'),
  ])
  const { id: elsewhere } = await owner.client.rooms.create(space.id, { name: 'pictures', type: 1 })
  const shown = await ada.client.messages.createWithFiles(elsewhere, {}, [note('2')])
  const upload = await putUpload(ada, space.general, note('3'))
  await deny(AttachFiles)
  const reference = { type: ReferenceType.Forward, message_id: shown.id, room_id: elsewhere }
  const size = { filename: 'a.txt', size_bytes: 1, content_type: 'text/plain' }
  for (const person of [ada, bot]) {
    const { messages, attachments } = person.client
    assert.equal(
      await refusalOf(messages.createWithFiles(space.general, { content: 'x' }, [note('4')])),
      MISSING,
    )
    assert.equal(await refusalOf(attachments.create(space.general, size)), MISSING)
    assert.equal(await refusalOf(messages.create(space.general, { reference })), MISSING)
  }
  assert.equal(
    await refusalOf(ada.client.messages.create(space.general, { attachment_ids: [upload] })),
    MISSING,
  )
  assert.equal((await ada.client.messages.list(space.general)).length, 1)
  // Older files stay, and texts are sent.
  assert.equal((await owner.client.messages.get(space.general, lounging)).attachments.length, 1)
  await ada.client.messages.create(space.general, { content: 'text' })
  await ada.client.messages.createWithFiles(elsewhere, {}, [note('5')])
  await owner.client.messages.createWithFiles(space.general, {}, [note('6')])
})

test('CAPABILITY-12: a forward without files needs no AttachFiles', async () => {
  const { id } = await ada.client.messages.create(space.general, { content: 'tea?' })
  await deny(AttachFiles)
  const reference = { type: ReferenceType.Forward, message_id: id, room_id: space.general }
  await ada.client.messages.create(space.general, { reference })
})

test('CAPABILITY-13: without AddReactions one joins reactions and begins none', async () => {
  const { id } = await owner.client.messages.create(space.general, { content: 'tea?' })
  const message = { channel: space.general, id }
  await owner.client.reactions.add(message, '🎉')
  await deny(AddReactions)
  for (const person of [ada, bot]) {
    await person.client.reactions.add(message, '🎉')
    assert.equal(await refusalOf(person.client.reactions.add(message, '👍')), MISSING)
  }
  const counts = async () =>
    (await owner.client.messages.get(space.general, id)).reactions.map(({ emoji, count }) => [emoji, count])
  assert.deepEqual(await counts(), [['🎉', 3]])
  // Removing the last reaction with an emoji removes the emoji: adding it again begins a new one.
  for (const person of [owner, bot, ada]) await person.client.reactions.remove(message, '🎉')
  assert.equal(await refusalOf(ada.client.reactions.add(message, '🎉')), MISSING)
  assert.deepEqual(await counts(), [])
})

test('CAPABILITY-14: without EmbedLinks a bot sends and edits no embeds', async () => {
  const embeds = [{ title: 'News' }]
  const { id } = await bot.client.messages.create(space.general, { embeds })
  await deny(EmbedLinks)
  assert.equal(await refusalOf(bot.client.messages.create(space.general, { content: 'x', embeds })), MISSING)
  assert.equal(await refusalOf(bot.client.messages.update(space.general, id, { embeds })), MISSING)
  await bot.client.messages.update(space.general, id, { content: 'plain', embeds: [] })
})

test('CAPABILITY-14: a forward shows its embeds only with EmbedLinks', async () => {
  const { id: elsewhere } = await owner.client.rooms.create(space.id, { name: 'news', type: 1 })
  const { id } = await bot.client.messages.create(elsewhere, { content: 'x', embeds: [{ title: 'News' }] })
  const reference = { type: ReferenceType.Forward, message_id: id, room_id: elsewhere }
  const forwarded = async () =>
    (await ada.client.messages.create(space.general, { reference })).snapshot?.embeds.length
  assert.equal(await forwarded(), 1)
  await deny(EmbedLinks)
  assert.equal(await forwarded(), 0)
})

test('CAPABILITY-15: everyone is mentioned with MentionEveryone or with ManageMessages', async () => {
  const mentions = async (person: Person) =>
    (await person.client.messages.create(space.general, { content: '@everyone' })).mention_everyone
  assert.equal(await mentions(ada), false)
  const grant = (fields: object) =>
    owner.client.roles.update(space.id, space.id, { capabilities: DEFAULT_CAPABILITIES, ...fields })
  await grant({ capabilities: DEFAULT_CAPABILITIES | MentionEveryone })
  assert.deepEqual([await mentions(ada), await mentions(bot)], [true, true])
  const { ViewChannels, SendMessages, ManageMessages } = Permission
  await grant({ permissions: ViewChannels | SendMessages | ManageMessages })
  assert.equal(await mentions(ada), true)
  await grant({ permissions: ViewChannels | SendMessages })
  assert.equal(await mentions(ada), false)
})

test('CAPABILITY-16: a conversation has no roles, and its members may do all of this', async () => {
  const conversation = await makeDirect(server, ada, owner)
  const address = { conversation: conversation.id }
  const sent = await ada.client.messages.createWithFiles(address, { content: '@everyone' }, [note('1')])
  assert.deepEqual([sent.attachments.length, sent.mention_everyone], [1, true])
  await owner.client.reactions.add({ channel: address, id: sent.id }, '🎉')
})
