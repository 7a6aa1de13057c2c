import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { GREATEST_ID } from '@foyer/protocol/ids'
import { MAX_REPLY_COUNT } from '@foyer/protocol/limits'
import { type Message, MessageType, ReferenceType } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { makeDirect } from '#test/scenes/conversations.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite, listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'

let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace

before(async () => {
  server = await startOwnServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  space = await makeSpace(ada, [eve])
})
after(() => server.close())

const say = (person: Person, content: string, answered?: Message, room = space.general) =>
  person.client.messages.create(room, {
    content,
    ...(answered === undefined ? {} : { reference: { message_id: answered.id } }),
  })

const read = (message: Message) => ada.client.messages.get(space.general, message.id)

async function replies(message: Message, query = {}): Promise<string[]> {
  const page = await ada.client.messages.replies(space.general, message.id, query)
  return page.map(({ content }) => content)
}

test('THREAD-1: a reply to a reply continues its thread, and nothing but replies does', async () => {
  const first = await say(ada, 'first')
  const second = await say(eve, 'second', first)
  const third = await say(ada, 'third', second)
  assert.deepEqual([first.thread_id, second.thread_id, third.thread_id], [null, first.id, first.id])
  assert.equal(third.referenced_message?.thread_id, first.id)
  assert.equal((await read(third)).thread_id, first.id)
  const reference = { type: ReferenceType.Forward, message_id: third.id }
  assert.equal((await ada.client.messages.create(space.general, { reference })).thread_id, null)
  await ada.client.pins.add(space.general, third.id)
  const newest = async () => (await ada.client.messages.list(space.general, { limit: 1 }))[0]
  await until(async () => (await newest())?.type === MessageType.PinNotice, 'the notice of the pin')
  assert.equal((await newest())?.thread_id, null)
  assert.deepEqual(await replies(first), ['second', 'third'])
  assert.deepEqual(await replies(third), [])
})

test('THREAD-2: the first message has the number of replies and the authors of the latest', async () => {
  const first = await say(ada, 'question')
  assert.equal((await read(first)).replies, null)
  for (const person of [eve, ada, eve]) await say(person, 'answer', first)
  const last = await say(ada, 'last', first)
  const told = (await read(first)).replies
  assert.deepEqual(
    [told?.count, told?.last_seq, told?.last_at, told?.users.map(({ id }) => id)],
    [4, last.seq, last.created_at, [ada.id, eve.id]],
  )
  const page = await eve.client.messages.list(space.general, { limit: 5 })
  assert.deepEqual(
    page.map((message) => message.replies?.count ?? null),
    [null, null, null, null, 4],
  )
  await server.deps.database.execute(sql`
    insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at, thread_id)
    select ${space.id}, ${space.general}, gen_random_uuid(), 1000000 + n, ${eve.id}, 'x', now(), ${first.id}
    from generate_series(1, 200) as n`)
  assert.equal((await read(first)).replies?.count, MAX_REPLY_COUNT)
})

test('THREAD-3: replies are listed oldest first, in pages, without deleted ones', async () => {
  const first = await say(ada, 'question', undefined, space.lounge)
  const list = async (query = {}) => {
    const page = await eve.client.messages.replies(space.lounge, first.id, query)
    return page.map(({ content }) => content)
  }
  assert.deepEqual(await list(), [])
  const said: Message[] = []
  for (const content of ['1', '2', '3', '4', '5']) said.push(await say(eve, content, first, space.lounge))
  await say(ada, 'aside', undefined, space.lounge)
  assert.deepEqual(await list(), ['1', '2', '3', '4', '5'])
  assert.deepEqual(await list({ after: said[1]?.id, limit: 2 }), ['3', '4'])
  assert.deepEqual(await list({ before: said[3]?.id, limit: 2 }), ['2', '3'])
  assert.deepEqual(await list({ before: said[0]?.id }), [])
  assert.deepEqual(await list({ before: GREATEST_ID, limit: 2 }), ['4', '5'])
  await ada.client.messages.delete(space.lounge, said[2]?.id ?? '')
  assert.deepEqual(await list({ after: said[2]?.id }), ['4', '5'])
  assert.deepEqual(await list({ after: said[4]?.id }), [])
  assert.deepEqual(await list({ before: said[2]?.id }), ['1', '2'])
  assert.deepEqual(await list({ before: said[3]?.id, limit: 1 }), ['2'])
  const { replies: told } = await ada.client.messages.get(space.lounge, first.id)
  assert.equal(told?.count, 4)
  const [shown] = await ada.client.messages.replies(space.lounge, first.id, { limit: 1 })
  assert.deepEqual(shown, await ada.client.messages.get(space.lounge, said[0]?.id ?? ''))
})

test('THREAD-3: users who may not read the history cannot read threads', async () => {
  const outsider = await createPerson(server, 'outsider')
  const bot = await createApplicationBot(server, ada, { name: 'Parrot' })
  const { id: hidden } = await ada.client.rooms.create(space.id, { name: 'hidden', type: 1 })
  const target = { room_id: hidden, target_id: eve.id, target_type: 1, allow_flags: 0 }
  await insertOverwrite(server, space.id, { ...target, deny_flags: Permission.ViewChannels })
  const first = await say(ada, 'secret', undefined, hidden)
  await say(ada, 'more of it', first, hidden)
  const ask = (person: Person, room = hidden, id = first.id) =>
    codeOf(person.call('GET', `/api/rooms/${room}/messages/${id}/replies`))
  for (const person of [eve, outsider, bot]) assert.match(String(await ask(person)), /^403 /)
  assert.equal(await ask(ada), 200)
  // Access to one room gives no access to another's thread.
  for (const person of [ada, eve]) assert.equal(await ask(person, space.general), '404 unknown_message')
  assert.equal(await ask(ada, newId()), '404 unknown_room')
  assert.equal(await ask(ada, hidden, newId()), '404 unknown_message')
  await ada.client.members.addBot(space.id, bot.id)
  assert.equal(await ask(bot), 200)
  const anchors = `before=${first.id}&after=${first.id}`
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'after=x', 'before=x', anchors])
    assert.equal(
      await codeOf(ada.call('GET', `/api/rooms/${hidden}/messages/${first.id}/replies?${query}`)),
      '400 invalid_request',
    )
})

test('THREAD-3: a conversation has threads like a room', async () => {
  const { id: conversation } = await makeDirect(server, ada, eve)
  const first = await ada.client.messages.create({ conversation }, { content: 'psst' })
  const reference = { message_id: first.id }
  await eve.client.messages.create({ conversation }, { content: 'yes?', reference })
  const [reply] = await ada.client.messages.replies({ conversation }, first.id)
  assert.deepEqual([reply?.content, reply?.thread_id], ['yes?', first.id])
  const stranger = await createPerson(server, 'stranger')
  const path = `/api/conversations/${conversation}/messages/${first.id}/replies`
  assert.match(String(await codeOf(stranger.call('GET', path))), /^40[34] /)
})

test('THREAD-4: a thread continues without the message that began it', async () => {
  const first = await say(ada, 'first')
  const second = await say(eve, 'second', first)
  await ada.client.messages.delete(space.general, first.id)
  const third = await say(ada, 'third', second)
  assert.equal(third.thread_id, first.id)
  assert.deepEqual(await replies(first), ['second', 'third'])
  for (const { id } of [second, third]) await ada.client.messages.delete(space.general, id)
  await assert.rejects(replies(first), { code: 'unknown_message' })
  await assert.rejects(replies(first, { after: second.id }), { code: 'unknown_message' })
})

test('THREAD-5: sent and deleted messages name their thread', async () => {
  const first = await say(ada, 'first')
  const second = await say(eve, 'second', first)
  await eve.client.messages.delete(space.general, second.id)
  await ada.client.messages.bulkDelete(space.general, [first.id, (await say(eve, 'third', first)).id])
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  const [created, deleted, , bulk] = journal.slice(-4)
  assert.deepEqual([created?.name, threadIn(created?.data)], ['MESSAGE_CREATE', first.id])
  assert.deepEqual([deleted?.name, threadIn(deleted?.data)], ['MESSAGE_DELETE', first.id])
  assert.deepEqual([bulk?.name, threadIn(bulk?.data)], ['MESSAGE_DELETE_BULK', first.id])
})

test('THREAD-1: replies from before threads existed get theirs', async () => {
  const first = await say(ada, 'first')
  const chain = [first]
  for (const content of ['second', 'third', 'fourth']) chain.push(await say(eve, content, chain.at(-1)))
  await ada.client.messages.delete(space.general, first.id)
  const migration = await readFile(new URL('../../../migrations/0015-threads.sql', import.meta.url), 'utf8')
  const { database } = server.deps
  await database.transaction(async (transaction) => {
    await transaction.query(sql`alter table messages drop column thread_id`)
    const parts = migration.split(/;$/m).filter((part) => part.trim() !== '')
    for (const [index, text] of parts.entries())
      await transaction.query({ name: `part ${index}`, text, values: [] })
  })
  assert.deepEqual(await replies(first), ['second', 'third', 'fourth'])
})

function threadIn(data: unknown): unknown {
  const messages = isRecord(data) && Array.isArray(data.messages) ? data.messages : [data]
  const message = messages.at(-1)
  return isRecord(message) ? message.thread_id : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
