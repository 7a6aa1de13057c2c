import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_REACTIONS } from '@foyer/protocol/limits'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { MessageAddress } from '@foyer/sdk/api/reactions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { png } from '#test/scenes/pictures.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { addStorage } from '#test/storages.ts'

const { SendMessages, ViewChannels } = Permission
const THUMB = '👍'

let server: TestServer
let owner: Person
let ada: Person
let eve: Person
let bot: Person
let outsider: Person
let space: TestSpace
let message: MessageAddress

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  bot = await createBot(server, 'robot')
  outsider = await createPerson(server, 'outsider')
})
after(() => server.close())
beforeEach(async () => {
  space = await makeSpace(owner, [ada, eve])
  await server.deps.database.execute(
    sql`insert into members (space_id, user_id) values (${space.id}, ${bot.id})`,
  )
  message = await say(space.general)
})

async function say(channel: MessageAddress['channel']): Promise<MessageAddress> {
  const { id } = await ada.client.messages.create(channel, { content: 'tea?' })
  return { channel, id }
}

const pathOf = ({ channel, id }: MessageAddress) => {
  const base = typeof channel === 'string' ? `rooms/${channel}` : `conversations/${channel.conversation}`
  return `/api/${base}/messages/${id}/reactions`
}
const add = (person: Person, emoji: string, to = message) =>
  codeOf(person.call('PUT', `${pathOf(to)}/${encodeURIComponent(emoji)}`))
const remove = (person: Person, emoji: string, from = message) =>
  codeOf(person.call('DELETE', `${pathOf(from)}/${encodeURIComponent(emoji)}`))
const deny = (flags: number) =>
  owner.client.overwrites.upsert(space.id, space.general, {
    target_id: eve.id,
    target_type: OverwriteTarget.Member,
    allow_flags: 0,
    deny_flags: flags,
  })

async function reactionsFor(person: Person, to = message): Promise<[string, number, boolean][]> {
  const { reactions } = await person.client.messages.get(to.channel, to.id)
  return reactions.map(({ emoji, count, me }) => [emoji, count, me])
}

/** Returns the events about reactions, without the channel's ids. */
async function published(topic = topicOf.room(space.id, space.general)): Promise<unknown[]> {
  const journal = await listJournal(server, topic)
  return journal.filter(({ name }) => name.includes('REACTION'))
}

test('REACTION-1: people and bots who may send react and remove reactions; repeating either has no effect', async () => {
  const place = { seq: 1, room_id: space.general, conversation_id: null, space_id: space.id }
  const events: unknown[] = []
  for (const [index, person] of [owner, ada, bot].entries()) {
    assert.equal(await add(person, THUMB), 204)
    assert.equal(await add(person, THUMB), 204)
    const data = { message_id: message.id, ...place, user_id: person.id, emoji: THUMB, count: index + 1 }
    events.push({ name: 'MESSAGE_REACTION_ADD', audience: 0, data })
  }
  assert.deepEqual(await reactionsFor(bot), [[THUMB, 3, true]])
  assert.deepEqual(await reactionsFor(eve), [[THUMB, 3, false]])
  for (const [index, person] of [ada, bot, owner].entries()) {
    assert.equal(await remove(person, THUMB), 204)
    assert.equal(await remove(person, THUMB), 204)
    const data = { message_id: message.id, ...place, user_id: person.id, emoji: THUMB, count: 2 - index }
    events.push({ name: 'MESSAGE_REACTION_REMOVE', audience: 0, data })
  }
  assert.deepEqual(await reactionsFor(owner), [])
  assert.deepEqual(await published(), events)
  assert.deepEqual(await leftovers(), { reactions: 0, counts: 0, marked: 0 })
})

/** Counts reaction rows, stored counts, and messages marked as having some. */
async function leftovers(): Promise<{ reactions: number; counts: number; marked: number } | undefined> {
  const [row] = await server.deps.database.query<{ reactions: number; counts: number; marked: number }>(sql`
    select (select count(*) from reactions where channel_id = ${space.general}) as reactions,
      (select count(*) from reaction_counts where channel_id = ${space.general}) as counts,
      (select count(*) from messages where channel_id = ${space.general} and has_reactions) as marked`)
  return row
}

test('REACTION-1: users who may not send can only remove their own; those who may not view, and outsiders, can do nothing', async () => {
  await add(eve, THUMB)
  await deny(SendMessages)
  assert.equal(await add(eve, '🎉'), '403 missing_permission')
  assert.equal(await remove(eve, THUMB), 204)
  await add(ada, THUMB)
  await deny(ViewChannels)
  const all = (person: Person, to = message) => [
    add(person, THUMB, to),
    remove(person, THUMB, to),
    codeOf(person.call('GET', `${pathOf(to)}/${THUMB}`)),
    codeOf(person.call('DELETE', `${pathOf(to)}/${THUMB}/${ada.id}`)),
    codeOf(person.call('DELETE', pathOf(to))),
  ]
  assert.deepEqual(await Promise.all(all(eve)), Array(5).fill('403 missing_permission'))
  assert.deepEqual(await Promise.all(all(outsider)), Array(5).fill('403 not_a_member'))
  const nowhere = [
    { channel: space.general, id: newId() },
    { channel: space.lounge, id: message.id },
  ]
  for (const address of nowhere)
    assert.deepEqual(await Promise.all(all(owner, address)), Array(5).fill('404 unknown_message'))
  const elsewhere = { channel: newId(), id: message.id }
  assert.deepEqual(await Promise.all(all(owner, elsewhere)), Array(5).fill('404 unknown_room'))
  assert.deepEqual(await reactionsFor(owner), [[THUMB, 1, false]])
})

/** Emojis as sent and as stored. */
const emojis: [sent: string, kept: string][] = [
  ['👍', '👍'],
  ['👍\u{FE0F}', '👍'],
  ['👍🏽', '👍🏽'],
  ['❤', '❤️'],
  ['❤\u{FE0F}', '❤️'],
  ['1\u{FE0F}\u{20E3}', '1\u{FE0F}\u{20E3}'],
  ['#\u{20E3}', '#\u{FE0F}\u{20E3}'],
  ['🇪🇺', '🇪🇺'],
  [
    '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
    '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
  ],
  ['👩🏾‍❤️‍💋‍👨🏻', '👩🏾‍❤️‍💋‍👨🏻'],
  ['🏳‍🌈', '🏳️‍🌈'],
  ['👁‍🗨', '👁️‍🗨️'],
  ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦'],
  ['©', '©️'],
]

test('REACTION-2: a Unicode emoji is stored in one form, however it is written', async () => {
  for (const [sent] of emojis) assert.equal(await add(eve, sent), 204, sent)
  const kept = [...new Set(emojis.map(([, emoji]) => emoji))]
  assert.deepEqual(
    await reactionsFor(eve),
    kept.map((emoji) => [emoji, 1, true]),
  )
  const users = await eve.client.reactions.list(message, '❤')
  assert.deepEqual(
    users.map(({ id }) => id),
    [eve.id],
  )
  for (const [sent] of emojis) assert.equal(await remove(eve, sent), 204, sent)
  assert.deepEqual(await reactionsFor(eve), [])
})

test('REACTION-2: anything else is not an emoji', async () => {
  const none = [
    '1',
    '12',
    '#',
    'a',
    'ä',
    '👍👍',
    '👍a',
    '❤\u{FE0E}',
    '🇪',
    '👍 ',
    ':tea:',
    '\u{200D}',
    '\u{FE0F}',
  ]
  const broken = ['👨‍', '👨‍👍', '<script>', "' or 1=1", `${newId()} `]
  for (const emoji of [...none, ...broken]) {
    assert.equal(await add(eve, emoji), '400 invalid_emoji', emoji)
    assert.equal(await remove(eve, emoji), '400 invalid_emoji', emoji)
  }
  assert.equal(await add(eve, '👍'.repeat(65)), '400 invalid_request')
  assert.match(String(await add(eve, '👍'.repeat(1000))), /^40[04] /)
  assert.equal(await codeOf(eve.call('PUT', `${pathOf(message)}/%F0%9F%91`)), '400 invalid_request')
  assert.equal(await codeOf(eve.call('PUT', `${pathOf(message)}/%00`)), '400 invalid_request')
  const response = await server.fetch(`${pathOf(message)}/${'👍'.repeat(3000)}`, { method: 'PUT' })
  assert.equal(response.status, 431)
  assert.deepEqual(await published(), [])
})

async function createEmoji(spaceId: string, name = 'tea'): Promise<string> {
  await addStorage(server, spaceId)
  const { id } = await owner.client.emojis.create(spaceId, { name, image: await png() })
  return id
}

test('REACTION-2: emojis in a room are of its space, and a deleted one can only be removed', async () => {
  const own = await createEmoji(space.id)
  const other = await makeSpace(owner, [eve])
  const foreign = await createEmoji(other.id)
  assert.equal(await add(eve, foreign), '404 unknown_emoji')
  assert.equal(await add(eve, newId()), '404 unknown_emoji')
  assert.equal(await add(eve, own), 204)
  await owner.client.emojis.delete(space.id, own)
  assert.deepEqual(await reactionsFor(eve), [[own, 1, true]])
  assert.equal(await add(ada, own), '404 unknown_emoji')
  assert.equal(await remove(eve, own), 204)
  assert.deepEqual(await reactionsFor(eve), [])
})

test('REACTION-3: the 21st kind is refused, and adding to an existing one is not', async () => {
  const many = Array.from({ length: MAX_REACTIONS + 1 }, (_, index) => String.fromCodePoint(0x1f600 + index))
  const [last = ''] = many.slice(-1)
  for (const emoji of many.slice(0, -1)) assert.equal(await add(eve, emoji), 204)
  const before = await published()
  assert.equal(await add(ada, last), '400 too_many_reactions')
  assert.deepEqual(await published(), before)
  assert.equal(await add(ada, many[0] ?? ''), 204)
  assert.equal(await remove(eve, many[1] ?? ''), 204)
  assert.equal(await add(ada, last), 204)
  const reactions = await reactionsFor(ada)
  assert.deepEqual([reactions.length, reactions.at(-1)], [MAX_REACTIONS, [last, 1, true]])
})

test('REACTION-5: reactions are in the order of their first use wherever a message is read', async () => {
  for (const [person, emoji] of [
    [ada, '🍵'],
    [eve, '🎉'],
    [eve, '🍵'],
    [ada, '🐢'],
    [owner, '🐢'],
  ] as const)
    await add(person, emoji)
  const expected = [
    { emoji: '🍵', count: 2, me: true },
    { emoji: '🎉', count: 1, me: false },
    { emoji: '🐢', count: 2, me: true },
  ]
  const other = await say(space.general)
  await add(eve, THUMB, other)
  const { messages } = ada.client
  const reply = await messages.create(space.general, {
    content: 'yes',
    reference: { message_id: message.id },
  })
  const [answer, plain, first] = await messages.list(space.general)
  assert.equal(answer?.id, reply.id)
  assert.deepEqual(first?.reactions, expected)
  assert.deepEqual(plain?.reactions, [{ emoji: THUMB, count: 1, me: false }])
  assert.deepEqual([answer?.reactions, answer?.referenced_message?.reactions], [[], expected])
  await messages.update(space.general, message.id, { content: 'coffee?' })
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  const nobodys = expected.map((reaction) => ({ ...reaction, me: false }))
  const { data } = journal.findLast(({ name }) => name === 'MESSAGE_UPDATE') ?? {}
  assert.partialDeepStrictEqual(data, { reactions: nobodys })
})
