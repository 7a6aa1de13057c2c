import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MessageFlag, type MessageReference, MessageType, ReferenceType } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { note } from '#test/scenes/messages.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite, listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { toEmbeds } from './embeds.ts'

let server: TestServer
let ada: Person
let eve: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  space = await makeSpace(ada, [eve])
})
after(() => server.close())

const send = (
  person: Person,
  body: Parameters<Person['client']['messages']['create']>[1],
  room = space.general,
) => person.client.messages.create(room, body)

async function refusal(person: Person, body: unknown, room = space.general): Promise<string> {
  const before = await listJournal(server, topicOf.room(space.id, room))
  const { status, code } = await person.call('POST', `/api/rooms/${room}/messages`, body)
  assert.deepEqual(await listJournal(server, topicOf.room(space.id, room)), before)
  return `${status} ${code}`
}

/** Makes a room that eve may not view. */
async function makeHiddenRoom(): Promise<string> {
  const { id } = await ada.client.rooms.create(space.id, { name: 'hidden', type: 1 })
  const target = { room_id: id, target_id: eve.id, target_type: 1, allow_flags: 0 }
  await insertOverwrite(server, space.id, { ...target, deny_flags: Permission.ViewChannels })
  return id
}

test('REPLY-1: a reply contains the current state of the message it replies to, and null once that is deleted', async () => {
  const question = await send(eve, { content: 'question' })
  const answer = await send(ada, { content: 'answer', reference: { message_id: question.id } })
  const place = { room_id: space.general, conversation_id: null, space_id: space.id }
  assert.deepEqual(answer.reference, { type: ReferenceType.Reply, message_id: question.id, ...place })
  assert.equal(answer.referenced_message?.content, 'question')
  const again = await send(eve, { content: 'again', reference: { message_id: answer.id } })
  assert.equal(again.referenced_message?.content, 'answer')
  assert.equal(again.referenced_message?.reference?.message_id, question.id)
  await eve.client.messages.update(space.general, question.id, { content: 'better' })
  const read = () => ada.client.messages.get(space.general, answer.id)
  assert.equal((await read()).referenced_message?.content, 'better')
  await eve.client.messages.delete(space.general, question.id)
  assert.deepEqual([(await read()).referenced_message, (await read()).reference], [null, answer.reference])
})

test('REPLY-2: only a message of the same room can be replied to', async () => {
  const elsewhere = await send(ada, { content: 'elsewhere' }, space.lounge)
  const gone = await send(ada, { content: 'gone' })
  await ada.client.messages.delete(space.general, gone.id)
  for (const message_id of [elsewhere.id, gone.id, newId()])
    assert.equal(await refusal(ada, { content: 'x', reference: { message_id } }), '404 unknown_message')
  const { id: message_id } = await send(ada, { content: 'here' })
  const wrong = [
    {},
    { message_id: 'x' },
    { message_id, type: 2 },
    { message_id, type: null },
    'x',
    [message_id],
  ]
  for (const reference of wrong)
    assert.equal(await refusal(ada, { content: 'x', reference }), '400 invalid_request')
  assert.equal(await refusal(ada, { content: ' ', reference: { message_id } }), '400 empty_message')
})

test('REPLY-2: a message deleted at the last moment cannot be replied to, and is not shown again', async () => {
  const { id: message_id } = await send(eve, { content: 'regretted' })
  const head = sql`select from message_heads where channel_id = ${space.general} for update`
  const lock = await holdLock(server, head)
  const deleting = eve.client.messages.delete(space.general, message_id)
  await lock.waitForBlocked(1)
  const body = { content: 'answer', reference: { message_id }, nonce: newId() }
  const url = `/api/rooms/${space.general}/messages`
  const answering = ada.call('POST', url, body)
  await lock.waitForBlocked(2)
  await lock.release()
  await deleting
  const { status, code } = await answering
  assert.deepEqual([status, code], [404, 'unknown_message'])
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  assert.equal(journal.at(-1)?.name, 'MESSAGE_DELETE')
  assert.equal((await ada.call('POST', url, { ...body, reference: null })).status, 200)
})

test('FORWARD-1: a forward is readable where it is, whatever happens to the original', async () => {
  const hidden = await makeHiddenRoom()
  const files = [note('the file')]
  const original = await ada.client.messages.createWithFiles(hidden, { content: 'secret' }, files)
  const reference = { type: ReferenceType.Forward, message_id: original.id, room_id: hidden }
  const forward = await send(ada, { reference })
  const [copy] = forward.snapshot?.attachments ?? []
  assert.deepEqual(forward.attachments, [])
  assert.deepEqual([forward.content, forward.snapshot?.content, copy?.filename], ['', 'secret', 'note.txt'])
  assert.notEqual(copy?.id, original.attachments[0]?.id)
  await ada.client.messages.delete(hidden, original.id)
  const read = await eve.client.messages.get(space.general, forward.id)
  assert.deepEqual(read, forward)
  assert.ok(!JSON.stringify(read.snapshot).includes(ada.id))
  const response = await server.fetch(read.snapshot?.attachments[0]?.url ?? '')
  assert.equal(await response.text(), 'the file')
  await ada.client.messages.delete(space.general, forward.id)
  assert.equal((await server.fetch(`${copy?.url}&stream=1`)).status, 404)
})

test('FORWARD-2: a forward of a forward forwards the first’s snapshot', async () => {
  const original = await send(eve, { content: 'first' })
  const forwardOf = (message_id: string): Partial<MessageReference> & { message_id: string } => ({
    type: ReferenceType.Forward,
    message_id,
    room_id: space.general,
  })
  const first = await send(eve, { reference: forwardOf(original.id) })
  const second = await send(ada, { reference: forwardOf(first.id) })
  assert.deepEqual(second.snapshot, first.snapshot)
  assert.equal(second.reference?.message_id, first.id)
  assert.equal(second.referenced_message, null)
})

test('FORWARD-4: a forward from elsewhere names its origin only to those who may view it', async () => {
  const hidden = await makeHiddenRoom()
  const secret = await send(ada, { content: 'secret' }, hidden)
  const forward = await send(ada, { reference: { type: 1, message_id: secret.id, room_id: hidden } })
  const nothing = { type: 1, message_id: null, room_id: null, conversation_id: null, space_id: null }
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  const read = await eve.client.messages.get(space.general, forward.id)
  const [listed] = await ada.client.messages.list(space.general, { limit: 1 })
  for (const message of [forward, read, listed]) assert.deepEqual(message?.reference, nothing)
  for (const shown of [journal.at(-1), read, forward]) assert.ok(!JSON.stringify(shown).includes(hidden))
  const origin = {
    type: 1,
    message_id: secret.id,
    room_id: hidden,
    conversation_id: null,
    space_id: space.id,
  }
  assert.deepEqual(await ada.client.messages.origin(space.general, forward.id), origin)
  const ask = async (person: Person, id: string) => {
    const { status, code } = await person.call('GET', `/api/rooms/${space.general}/messages/${id}/origin`)
    return `${status} ${code}`
  }
  assert.equal(await ask(eve, forward.id), '404 unknown_message')
  const plain = await send(ada, { content: 'plain' })
  const reply = await send(ada, { content: 'reply', reference: { message_id: plain.id } })
  for (const id of [plain.id, reply.id, newId()]) assert.equal(await ask(ada, id), '404 unknown_message')
  const here = await send(eve, { reference: { type: 1, message_id: plain.id } })
  assert.equal(here.reference?.message_id, plain.id)
  await ada.client.messages.delete(hidden, secret.id)
  assert.equal(await ask(ada, forward.id), '404 unknown_message')
})

test('FORWARD-3: only what the sender may view can be forwarded, without other content', async () => {
  const hidden = await makeHiddenRoom()
  const secret = await send(ada, { content: 'secret' }, hidden)
  const other = await makeSpace(ada)
  const foreign = await send(ada, { content: 'foreign' }, other.general)
  const forward = (message_id: string, room_id?: string) => ({
    type: 1,
    message_id,
    ...(room_id ? { room_id } : {}),
  })
  assert.equal(await refusal(eve, { reference: forward(secret.id, hidden) }), '403 missing_permission')
  assert.equal(await refusal(eve, { reference: forward(foreign.id, other.general) }), '403 not_a_member')
  assert.equal(await refusal(eve, { reference: forward(secret.id) }), '404 unknown_message')
  assert.equal(await refusal(eve, { reference: forward(secret.id, newId()) }), '404 unknown_room')
  const seen = await send(ada, { content: 'seen' })
  const both = { ...forward(seen.id, space.general), conversation_id: newId() }
  assert.equal(await refusal(eve, { reference: both }), '400 invalid_request')
  assert.equal(await refusal(eve, { content: 'x', reference: forward(seen.id) }), '400 forward_has_more')
  const { id } = await send(eve, { reference: forward(seen.id) })
  const edit = await eve.call('PATCH', `/api/rooms/${space.general}/messages/${id}`, { content: 'x' })
  assert.deepEqual([edit.status, edit.code], [400, 'forward_has_more'])
})

test('FORWARD-3: a bot’s deferred answer cannot be forwarded, and bots cannot add embeds to a forward', async () => {
  const bot = await createApplicationBot(server, ada, { name: 'Forwarder' })
  await ada.client.members.addBot(space.id, bot.id)
  const { id } = await send(bot, { content: 'seen' })
  const reference = { type: ReferenceType.Forward, message_id: id }
  const forward = await send(bot, { reference })
  for (const body of [{ embeds: [{ title: 'x' }] }, { components: [goButton] }]) {
    const edit = await bot.call('PATCH', `/api/rooms/${space.general}/messages/${forward.id}`, body)
    assert.deepEqual([edit.status, edit.code], [400, 'forward_has_more'])
  }
  await server.deps.database.execute(sql`
    update messages set type = ${MessageType.InteractionResponse}, flags = ${MessageFlag.Loading} where id = ${id}`)
  assert.equal(await refusal(eve, { reference }), '400 not_forwardable')
})

const goButton = { components: [{ type: 'button', label: 'Go', custom_id: 'go' }] }

test('FLAG-1: senders can turn off previews and notifications, and set no other flag', async () => {
  const { SuppressEmbeds, SuppressNotifications, Ephemeral, Loading } = MessageFlag
  for (const flags of [SuppressEmbeds, SuppressNotifications, 3, 0])
    assert.equal((await send(eve, { content: 'x', flags })).flags, flags)
  for (const flags of [Ephemeral, Loading, 16, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 32), -1, 1.5, '1'])
    assert.equal(await refusal(eve, { content: 'x', flags }), '400 invalid_request', `${flags}`)
})

test('FLAG-2: only the flag for previews can be switched later, by the author and with ManageMessages', async () => {
  const { id } = await send(eve, { content: 'x', flags: MessageFlag.SuppressNotifications })
  const url = `/api/rooms/${space.general}/messages/${id}`
  const flagsOf = async (person: Person, body: unknown) => {
    const { status, code } = await person.call('PATCH', url, body)
    const { flags, edited_at, content } = await ada.client.messages.get(space.general, id)
    return [status, code, flags, edited_at, content]
  }
  assert.deepEqual(await flagsOf(ada, { flags: 3 }), [200, null, 3, null, 'x'])
  assert.deepEqual(await flagsOf(eve, { flags: 0 }), [200, null, 2, null, 'x'])
  const before = await listJournal(server, topicOf.room(space.id, space.general))
  assert.deepEqual(await flagsOf(eve, { flags: 2 }), [200, null, 2, null, 'x'])
  assert.deepEqual(await listJournal(server, topicOf.room(space.id, space.general)), before)
  assert.deepEqual(await flagsOf(ada, { flags: 1, content: 'y' }), [403, 'missing_permission', 2, null, 'x'])
  assert.deepEqual(await flagsOf(eve, { flags: 4 }), [400, 'invalid_request', 2, null, 'x'])
  const mallory = await createPerson(server, 'mallory')
  assert.deepEqual(await flagsOf(mallory, { flags: 1 }), [403, 'not_a_member', 2, null, 'x'])
})

test('EMBED-1: bots can send embeds and components, people cannot', async () => {
  const bot = await createApplicationBot(server, ada, { name: 'Robot' })
  await ada.client.members.addBot(space.id, bot.id)
  const embeds = [{ title: 'Title', fields: [{ name: 'a', value: 'b' }], color: 0xff8800 }]
  const components = [goButton]
  const shown = await send(bot, { embeds, components })
  assert.deepEqual(
    [shown.embeds[0]?.title, shown.embeds[0]?.type, shown.embeds[0]?.url],
    ['Title', 'rich', null],
  )
  assert.deepEqual(shown.components, components)
  assert.deepEqual(await ada.client.messages.get(space.general, shown.id), shown)
  assert.equal(await refusal(eve, { content: 'x', embeds }), '400 invalid_request')
  assert.equal(await refusal(eve, { content: 'x', components }), '400 invalid_request')
  const ofFile = { embeds: [{ image: { url: 'attachment://lost.png' } }] }
  assert.equal(await refusal(bot, ofFile), '400 empty_message')
  const long = { description: 'x'.repeat(3001) }
  assert.equal(await refusal(bot, { embeds: [long, long] }), '400 embeds_too_large')
  const button = (given: object) => ({
    components: [{ components: [{ type: 'button', label: 'x', ...given }] }],
  })
  const wrong = [
    { embeds: [{}] },
    { embeds: [{ title: '' }] },
    ...['2024-01-01T23:59:60Z', '9999-12-31T23:00:00-02:00', '2024-02-30T00:00:00Z', ''].map((timestamp) => ({
      embeds: [{ title: 'x', timestamp }],
    })),
    { embeds: [{ image: { url: 'javascript:alert(1)' } }] },
    button({}),
    button({ style: 'link' }),
    button({ style: 'link', url: 'https://example.org', custom_id: 'x' }),
    { components: [...components, ...components] },
    { components: [{ components: [{ type: 'select', custom_id: 'x', options: [] }] }] },
    { components: [{ components: [{ type: 'text_input', custom_id: 'x', label: 'x' }] }] },
  ]
  for (const body of wrong)
    assert.equal(await refusal(bot, body), '400 invalid_request', JSON.stringify(body))
  const edited = await bot.client.messages.update(space.general, shown.id, { components: [] })
  assert.deepEqual([edited.components, edited.embeds], [[], shown.embeds])
})

test('EMBED-1: unknown fields of components are neither shown nor stored, however deep', async () => {
  const bot = await createApplicationBot(server, ada, { name: 'Digger' })
  await ada.client.members.addBot(space.id, bot.id)
  const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`
  const button = `{"type":"button","label":"Go","custom_id":"go","more":${deep}}`
  const body = `{"content":"x","components":[{"components":[${button}],"more":${deep}}]}`
  const { status } = await bot.call('POST', `/api/rooms/${space.general}/messages`, body)
  const [newest] = await server.deps.database.query<{ components: unknown }>(sql`
    select components from messages where channel_id = ${space.general} order by seq desc limit 1`)
  assert.deepEqual([status, newest?.components], [200, [goButton]])
})

test('MESSAGE-4: a preview alone is not a message: it is removed with its link by an edit', async () => {
  const { id } = await send(eve, { content: 'https://example.org' })
  const preview = { ...toEmbeds([{ title: 'x' }])[0], type: 'link' }
  await server.deps.database.execute(sql`
    update messages set embeds = ${JSON.stringify([preview])} where tenant_id = ${space.id} and id = ${id}`)
  const edit = (content: string) =>
    eve.call('PATCH', `/api/rooms/${space.general}/messages/${id}`, { content })
  assert.deepEqual([(await edit('')).code, (await edit('x')).code], ['empty_message', null])
})
