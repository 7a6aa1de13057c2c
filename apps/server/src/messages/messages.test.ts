import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import type { Room } from '@foyer/protocol/rooms'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { callAsNobody, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertOverwrite, insertRole, listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let ada: Person
let eve: Person
let tea: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  tea = await makeSpace(ada, [eve])
})
after(() => server.close())

const messagesOf = (roomId: string) => `/api/rooms/${roomId}/messages`

test('MESSAGE-1: the answer to a message equals history, its own path and MESSAGE_CREATE', async () => {
  const sent = await eve.client.messages.create(tea.general, { content: '  hello \n world ', nonce: 'first' })
  assert.equal(sent.content, 'hello \n world')
  assert.equal(sent.seq, 1)
  assert.deepEqual([sent.room_id, sent.space_id, sent.conversation_id], [tea.general, tea.id, null])
  assert.deepEqual([sent.type, sent.nonce, sent.edited_at, sent.pinned], [0, 'first', null, false])
  assert.deepEqual([sent.author.id, sent.member?.user_id], [eve.id, eve.id])
  assert.ok(Math.abs(Date.parse(sent.created_at) - Date.now()) < 60_000)
  assert.deepEqual(await ada.client.messages.list(tea.general), [sent])
  assert.deepEqual(await ada.client.messages.get(tea.general, sent.id), sent)
  const [created] = await listJournal(server, topicOf.room(tea.id, tea.general))
  assert.deepEqual(created, { name: 'MESSAGE_CREATE', audience: 0, data: sent })
})

test('MESSAGE-1: a bot that is a member sends like people', async () => {
  const bot = await createBot(server, 'kettle')
  await server.deps.database.execute(sql`
    insert into members (space_id, user_id) values (${tea.id}, ${bot.id})`)
  const sent = await bot.client.messages.create(tea.general, { content: 'beep' })
  assert.equal(sent.author.is_bot, true)
})

test('MESSAGE-2: seq counts each room from 1, even if many write at once', async () => {
  const { general, lounge } = await makeSpace(ada, [eve])
  const rooms = Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? lounge : general))
  const sent = await Promise.all(
    rooms.map((room, index) => (index % 2 ? ada : eve).client.messages.create(room, { content: `${index}` })),
  )
  for (const [room, count] of [
    [general, 200],
    [lounge, 100],
  ] as const) {
    const inRoom = sent.filter((message) => message.room_id === room)
    const seqs = inRoom.map((message) => message.seq).sort((a, b) => a - b)
    assert.deepEqual(
      seqs,
      Array.from({ length: count }, (_, index) => index + 1),
    )
  }
})

test('MESSAGE-2: a seq is not reused after its message is deleted', async () => {
  const { general } = await makeSpace(ada)
  const first = await ada.client.messages.create(general, { content: 'one' })
  await ada.client.messages.delete(general, first.id)
  const second = await ada.client.messages.create(general, { content: 'two' })
  assert.deepEqual([first.seq, second.seq], [1, 2])
})

test('MESSAGE-4: content is trimmed and then has 1 to 4000 code points', async () => {
  const longest = '𝒳'.repeat(4000)
  const sent = await ada.client.messages.create(tea.general, { content: ` ${longest}\n` })
  assert.equal(sent.content, longest)
  const wrong: [unknown, string][] = [
    [{ content: `${longest}y` }, 'invalid_request'],
    [{ content: 4 }, 'invalid_request'],
    [{ content: 'NUL \0' }, 'invalid_request'],
    ['{"content":"lone \\ud800"}', 'invalid_request'],
    [{ content: ' \n\t' }, 'empty_message'],
    [{ content: '' }, 'empty_message'],
    [{ content: null }, 'empty_message'],
    [{}, 'empty_message'],
    [{ content: 'x', nonce: '' }, 'invalid_request'],
    [{ content: 'x', nonce: 'n'.repeat(65) }, 'invalid_request'],
    [[], 'invalid_request'],
    ['{"content"', 'invalid_json'],
  ]
  for (const [body, code] of wrong) {
    const answer = await ada.call('POST', messagesOf(tea.general), body)
    assert.deepEqual([answer.status, answer.code], [400, code], JSON.stringify(body).slice(0, 40))
  }
  assert.equal((await ada.client.messages.list(tea.general, { limit: 1 }))[0]?.id, sent.id)
})

test('MESSAGE-5: a category has no messages', async () => {
  const category = tea.rooms.find((room: Room) => room.type === 3)?.id ?? ''
  const answer = await ada.call('POST', messagesOf(category), { content: 'x' })
  assert.deepEqual([answer.status, answer.code], [400, 'not_a_message_room'])
  assert.deepEqual(await ada.client.messages.list(category), [])
})

test('MESSAGE-6: a caller who is not a member, may not view, or has no account is refused before the body is read', async () => {
  const { id, general, lounge } = await makeSpace(ada, [eve])
  const mallory = await createPerson(server, 'mallory')
  const { id: messageId } = await ada.client.messages.create(general, { content: 'secret' })
  const hidden = { room_id: general, target_id: eve.id, target_type: 1, allow_flags: 0 }
  await insertOverwrite(server, id, { ...hidden, deny_flags: Permission.ViewChannels })
  const calls = [['POST', ''], ['GET', ''], ...['GET', 'PATCH', 'DELETE'].map((m) => [m, `/${messageId}`])]
  for (const [method = '', path = ''] of calls) {
    const url = messagesOf(general) + path
    const body = method === 'POST' || method === 'PATCH' ? 'not JSON' : undefined
    assert.equal((await callAsNobody(server, method, url)).status, 401)
    const outsider = await mallory.call(method, url, body)
    assert.deepEqual([outsider.status, outsider.code], [403, 'not_a_member'], `${method} ${path}`)
    const blind = await eve.call(method, url, body)
    assert.deepEqual([blind.status, blind.code], [403, 'missing_permission'], `${method} ${path}`)
  }
  assert.deepEqual(await eve.client.messages.list(lounge), [])
})

test('MESSAGE-6: reading requires ViewChannels only, sending also SendMessages', async () => {
  const { id, general } = await makeSpace(ada, [eve])
  const sent = await eve.client.messages.create(general, { content: 'while I may' })
  const muted = { room_id: general, target_id: id, target_type: 0, allow_flags: 0 }
  await insertOverwrite(server, id, { ...muted, deny_flags: Permission.SendMessages })
  const refused = await eve.call('POST', messagesOf(general), { content: 'no more' })
  assert.deepEqual([refused.status, refused.code], [403, 'missing_permission'])
  assert.deepEqual(await eve.client.messages.list(general), [sent])
  await eve.client.messages.delete(general, sent.id)
})

test('MESSAGE-6: an id that is invalid, unknown or of another room gets its own error', async () => {
  const elsewhere = await ada.client.messages.create(tea.lounge, { content: 'in the lounge' })
  const cases: [string, number, string][] = [
    [messagesOf(newId()), 404, 'unknown_room'],
    [messagesOf('general'), 400, 'invalid_request'],
    [`${messagesOf(tea.general)}/${newId()}`, 404, 'unknown_message'],
    [`${messagesOf(tea.general)}/${elsewhere.id}`, 404, 'unknown_message'],
    [`${messagesOf(tea.general)}/1`, 400, 'invalid_request'],
    [`${messagesOf(tea.general)}?before=1`, 400, 'invalid_request'],
    [`${messagesOf(tea.general)}?limit=0`, 400, 'invalid_request'],
    [`${messagesOf(tea.general)}?limit=101`, 400, 'invalid_request'],
    [`${messagesOf(tea.general)}?before=${newId()}&after=${newId()}`, 400, 'invalid_request'],
  ]
  for (const [path, status, code] of cases) {
    const answer = await ada.call('GET', path)
    assert.deepEqual([answer.status, answer.code], [status, code], path)
  }
  for (const method of ['PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { content: 'x' } : undefined
    const answer = await ada.call(method, `${messagesOf(tea.general)}/${elsewhere.id}`, body)
    assert.deepEqual([answer.status, answer.code], [404, 'unknown_message'])
  }
})

test('MESSAGE-8: only authors can edit their messages', async () => {
  const { general } = await makeSpace(ada, [eve])
  const sent = await eve.client.messages.create(general, { content: 'teh' })
  const edited = await eve.client.messages.update(general, sent.id, { content: ' the ' })
  assert.deepEqual({ ...edited, edited_at: null }, { ...sent, content: 'the' })
  assert.ok(Date.parse(edited.edited_at ?? '') >= Date.parse(sent.created_at))
  assert.deepEqual(await ada.client.messages.list(general), [edited])
  const path = `${messagesOf(general)}/${sent.id}`
  assert.deepEqual((await eve.call('PATCH', path, {})).body, edited)
  const empty = await eve.call('PATCH', path, { content: ' ' })
  assert.deepEqual([empty.status, empty.code], [400, 'empty_message'])
  const owner = await ada.call('PATCH', path, { content: 'mine' })
  assert.deepEqual([owner.status, owner.code], [403, 'missing_permission'])
  assert.deepEqual(await ada.client.messages.get(general, sent.id), edited)
})

test('MESSAGE-9: authors delete their own messages, and members with ManageMessages anyone’s', async () => {
  const kim = await createPerson(server, 'kim')
  const { id, general } = await makeSpace(ada, [eve, kim])
  const byEve = await eve.client.messages.create(general, { content: 'mine' })
  const byAda = await ada.client.messages.create(general, { content: 'hers' })
  const refused = await kim.call('DELETE', `${messagesOf(general)}/${byAda.id}`)
  assert.deepEqual([refused.status, refused.code], [403, 'missing_permission'])
  const roleId = await insertRole(server, id, { permissions: Permission.ManageMessages, position: 1 })
  await assignRole(server, { spaceId: id, userId: kim.id, roleId })
  const [first, second] = [
    await eve.call('DELETE', `${messagesOf(general)}/${byEve.id}`),
    await kim.call('DELETE', `${messagesOf(general)}/${byAda.id}`),
  ]
  assert.deepEqual([first.status, second.status], [204, 204])
  assert.deepEqual(await ada.client.messages.list(general), [])
  const again = await kim.call('DELETE', `${messagesOf(general)}/${byAda.id}`)
  assert.deepEqual([again.status, again.code], [404, 'unknown_message'])
})
