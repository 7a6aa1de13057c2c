import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { MAX_PINS } from '@foyer/protocol/limits'
import { type Message, MessageType, ReferenceType } from '@foyer/protocol/messages'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { codeOf, note, postForm } from '#test/scenes/messages.ts'
import { createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { pinJobs } from './jobs.ts'

let server: TestServer
let owner: Person
let mod: Person
let eve: Person
let bot: Person
let outsider: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  mod = await createPerson(server, 'mod')
  eve = await createPerson(server, 'eve')
  bot = await createBot(server, 'robot')
  outsider = await createPerson(server, 'outsider')
})
after(() => server.close())
beforeEach(async () => {
  space = await makeSpace(owner, [mod, eve])
  await server.deps.database.execute(
    sql`insert into members (space_id, user_id) values (${space.id}, ${bot.id})`,
  )
  await giveRole(owner, space.id, [mod, bot], { permissions: Permission.PinMessages })
})

async function say(content: string, channel: ChannelAddress = space.general): Promise<string> {
  const { id } = await eve.client.messages.create(channel, { content })
  return id
}

const pathOf = (id: string, room = space.general) => `/api/rooms/${room}/pins/${id}`
const pin = (person: Person, id: string) => codeOf(person.call('PUT', pathOf(id)))
const unpin = (person: Person, id: string) => codeOf(person.call('DELETE', pathOf(id)))

async function pinned(person = eve, channel: ChannelAddress = space.general): Promise<string[]> {
  const messages = await person.client.pins.list(channel)
  return messages.map(({ content }) => content)
}

/** Waits for this many system messages about pins. Returns them, oldest first. */
async function pinMessages(count: number, channel: ChannelAddress = space.general): Promise<Message[]> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const messages = await eve.client.messages.list(channel)
    const found = messages.filter(({ type }) => type === MessageType.PinNotice).reverse()
    if (found.length >= count || Date.now() > deadline) {
      assert.equal(found.length, count)
      return found
    }
    await delay(20)
  }
}

/** Returns the events about pins, and for messages the fields about them. */
async function published(topic = topicOf.room(space.id, space.general)): Promise<unknown[]> {
  const journal = await listJournal(server, topic)
  const entries = journal.filter(({ name }) => /^(MESSAGE_UPDATE|ROOM_PINS_UPDATE)$/.test(name))
  return entries.map(({ data }) => {
    const { id, pinned, pin_count } = Object(data)
    return pin_count === undefined ? [id, pinned] : pin_count
  })
}

test('PIN-1 and PIN-2: people and bots with PinMessages pin and unpin; a change without effect publishes nothing', async () => {
  const ids = [await say('a'), await say('b'), await say('c')]
  const [a = '', b = '', c = ''] = ids
  assert.deepEqual([await pin(owner, a), await pin(mod, b), await pin(bot, c)], [204, 204, 204])
  assert.equal(await pin(mod, a), 204)
  assert.deepEqual(await pinned(), ['c', 'b', 'a'])
  assert.deepEqual([await unpin(bot, a), await unpin(owner, b), await unpin(mod, b)], [204, 204, 204])
  assert.deepEqual(await pinned(), ['c'])
  const expected = [[a, true], 1, [b, true], 2, [c, true], 3, [a, false], 2, [b, false], 1]
  assert.deepEqual(await published(), expected)
  const authors = (await pinMessages(3)).map(({ author }) => author.id)
  assert.deepEqual(authors.toSorted(), [owner, mod, bot].map(({ id }) => id).toSorted())
  const messages = await Promise.all(ids.map((id) => eve.client.messages.get(space.general, id)))
  assert.deepEqual(
    messages.map(({ pinned }) => pinned),
    [false, false, true],
  )
})

test('PIN-1: members without the permission can list pins; those who may not view the room, and outsiders, cannot', async () => {
  const id = await say('a')
  assert.equal(await pin(mod, id), 204)
  for (const attempt of [pin, unpin]) assert.equal(await attempt(eve, id), '403 missing_permission')
  const all = (person: Person, room = space.general) => [
    codeOf(person.call('GET', `/api/rooms/${room}/pins`)),
    codeOf(person.call('PUT', pathOf(id, room))),
    codeOf(person.call('DELETE', pathOf(id, room))),
  ]
  assert.deepEqual(await Promise.all(all(outsider)), Array(3).fill('403 not_a_member'))
  assert.deepEqual(await Promise.all(all(owner, newId())), Array(3).fill('404 unknown_room'))
  const inLounge = await Promise.all(all(owner, space.lounge))
  assert.deepEqual(inLounge, [200, '404 unknown_message', '404 unknown_message'])
  for (const attempt of [pin, unpin]) {
    assert.equal(await attempt(owner, newId()), '404 unknown_message')
    assert.equal(await attempt(owner, 'a'), '400 invalid_request')
  }
  await owner.client.overwrites.upsert(space.id, space.general, {
    target_id: mod.id,
    target_type: OverwriteTarget.Member,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  assert.deepEqual(await Promise.all(all(mod)), Array(3).fill('403 missing_permission'))
  assert.deepEqual(await pinned(), ['a'])
})

test('PIN-1: system messages cannot be pinned', async () => {
  await pin(mod, await say('a'))
  const [notice] = await pinMessages(1)
  const before = await published()
  assert.equal(await pin(owner, notice?.id ?? ''), '400 not_pinnable')
  assert.deepEqual(await published(), before)
})

test('MESSAGE-8: system messages cannot be edited, not even by the user named as their author', async () => {
  await pin(mod, await say('a'))
  const [notice] = await pinMessages(1)
  const before = await published()
  for (const body of [{ content: 'never pinned' }, { flags: 1 }]) {
    const edit = mod.call('PATCH', `/api/rooms/${space.general}/messages/${notice?.id}`, body)
    assert.equal(await codeOf(edit), '400 not_editable')
  }
  assert.deepEqual(await published(), before)
})

test('PIN-3: the notice refers to the message, counts like one, and is in history as published', async () => {
  const id = await say('a')
  await pin(mod, id)
  const [notice] = await pinMessages(1)
  assert.ok(notice)
  const place = { room_id: space.general, conversation_id: null, space_id: space.id }
  const { type, content, author, member, seq, reference, referenced_message: original } = notice
  assert.deepEqual([type, content, author.id, member?.user_id, seq], [1, '', mod.id, mod.id, 2])
  assert.deepEqual(reference, { type: ReferenceType.Reply, message_id: id, ...place })
  assert.deepEqual([original?.id, original?.pinned], [id, true])
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  const { data } = journal.findLast(({ name }) => name === 'MESSAGE_CREATE') ?? {}
  assert.deepEqual(data, notice)
  await unpin(mod, id)
  await pin(owner, id)
  assert.deepEqual(
    (await pinMessages(2)).map(({ author }) => author.id),
    [mod.id, owner.id],
  )
})

test('PIN-3: a job that runs twice posts one notice, and none for a message deleted by then', async () => {
  const handler = pinJobs(server.deps).handlers.post_pin_notice
  assert.ok(handler)
  const id = await say('a')
  const place = { tenant_id: space.id, channel_id: space.general }
  const job = { ...place, message_id: id, user_id: mod.id, nonce: newId() }
  await Promise.all([handler(job), handler(job)])
  await handler(job)
  const [notice] = await pinMessages(1)
  await eve.client.messages.delete(space.general, id)
  await handler({ ...job, nonce: newId() })
  await owner.client.messages.delete(space.general, notice?.id ?? '')
  await handler(job)
  await pinMessages(0)
  const other = await say('b')
  await owner.client.rooms.delete(space.id, space.general)
  await handler({ ...job, message_id: other, nonce: newId() })
  const left = await server.deps.database.query(
    sql`select id from messages where type = 1 and channel_id = ${space.general}`,
  )
  assert.deepEqual(left, [])
})

test('PIN-4: a room has at most 250 pins, however many are pinned at once', async () => {
  const contents = ['a', 'b', 'c', 'd', 'e']
  const ids: string[] = []
  for (const content of contents) ids.push(await say(content))
  const others = Array.from({ length: MAX_PINS - 2 }, () => newId())
  await server.deps.database.execute(sql`
    insert into pins (tenant_id, channel_id, message_id, pinned_by)
    select ${space.id}, ${space.general}, unnest(${others}::uuid[]), ${mod.id}`)
  const lock = await holdLock(
    server,
    sql`select from message_heads where channel_id = ${space.general} for update`,
  )
  const attempts = ids.map((id) => pin(mod, id))
  await lock.waitForBlocked(ids.length)
  await lock.release()
  const answers = await Promise.all(attempts)
  assert.equal(answers.filter((answer) => answer === 204).length, 2)
  assert.deepEqual(new Set(answers), new Set([204, '400 too_many_pins']))
  assert.equal((await published()).length, 4)
  const taken = ids[answers.indexOf(204)] ?? ''
  assert.equal(await pin(mod, taken), 204)
  await unpin(mod, taken)
  assert.equal(await pin(mod, ids[answers.indexOf('400 too_many_pins')] ?? ''), 204)
  await pinMessages(3)
})

test('PIN-5: pins are listed as in history, the latest first', async () => {
  const { body } = await postForm(eve, space.general, formWith('picture of tea', note('tea')))
  const { id } = Object(body)
  const reply = await eve.client.messages.create(space.general, {
    content: 'b',
    reference: { message_id: id },
  })
  await pin(mod, reply.id)
  await pin(mod, id)
  await mod.client.reactions.add({ channel: space.general, id }, '🍵')
  await pinMessages(2)
  const pins = await mod.client.pins.list(space.general)
  const history = await mod.client.messages.list(space.general)
  const plain = (message: Message | undefined) => JSON.stringify(message).replaceAll(/"url":"[^"]*"/g, '')
  assert.deepEqual(
    pins.map(plain),
    [id, reply.id].map((one) => plain(history.find((message) => message.id === one))),
  )
  assert.deepEqual(pins[0]?.reactions, [{ emoji: '🍵', count: 1, me: true }])
  assert.ok(pins[0]?.attachments[0]?.url)
})

function formWith(content: string, file: File): FormData {
  const form = new FormData()
  form.set('content', content)
  form.set('files', file)
  return form
}

test('PIN-6: deleted messages are unpinned, and the room is notified', async () => {
  const ids = [await say('a'), await say('b'), await say('c')]
  for (const id of ids) await pin(mod, id)
  await pinMessages(3)
  await eve.client.messages.delete(space.general, ids[0] ?? '')
  const bulk = `/api/rooms/${space.general}/messages/bulk-delete`
  await owner.call('POST', bulk, { ids: [ids[1], await say('d')] })
  assert.deepEqual(await pinned(), ['c'])
  assert.deepEqual((await published()).slice(-2), [2, 1])
  await owner.client.rooms.delete(space.id, space.general)
  const deadline = Date.now() + 20_000
  const count = async () => {
    const rows = await server.deps.database.query(sql`select from pins where channel_id = ${space.general}`)
    return rows.length
  }
  while ((await count()) > 0 && Date.now() < deadline) await delay(20)
  assert.equal(await count(), 0)
})

test('PIN-1: everyone in a conversation can pin where they may write; for strangers it is 404', async () => {
  const { id } = await mod.client.conversations.create({ recipient_ids: [eve.id] })
  const channel = { conversation: id }
  const messages = [await say('a', channel), await say('b', channel)]
  await eve.client.pins.add(channel, messages[0] ?? '')
  await mod.client.pins.add(channel, messages[1] ?? '')
  assert.deepEqual(await pinned(mod, channel), ['b', 'a'])
  const [first] = await pinMessages(2, channel)
  assert.deepEqual([first?.conversation_id, first?.member, first?.content], [id, null, ''])
  const place = { room_id: null, conversation_id: id, space_id: null }
  const journal = await listJournal(server, topicOf.conversation(id))
  const counts = journal.filter(({ name }) => name === 'ROOM_PINS_UPDATE').map(({ data }) => data)
  assert.deepEqual(
    counts,
    [1, 2].map((pin_count) => ({ ...place, pin_count })),
  )
  const base = `/api/conversations/${id}/pins`
  for (const line of [`GET ${base}`, `PUT ${base}/${messages[0]}`, `DELETE ${base}/${messages[0]}`]) {
    const [method = '', url = ''] = line.split(' ')
    assert.equal(await codeOf(owner.call(method, url)), '404 unknown_conversation')
  }
  await mod.client.friends.block(eve.id)
  const later = `${base}/${messages[0]}`
  assert.equal(await codeOf(eve.call('DELETE', later)), 204)
  assert.equal(await codeOf(eve.call('PUT', later)), '403 blocked_conversation')
  await mod.client.friends.unblock(eve.id)
})
