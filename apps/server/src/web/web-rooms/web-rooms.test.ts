import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type { Ready } from '@foyer/protocol/events'
import { MessageType } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import { Administration } from '@foyer/sdk/api/administration'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { newId } from '#src/kernel/ids.ts'
import { connect, type GatewayClient, type ReceivedFrame } from '#test/gateway-client.ts'
import { awaitJobs } from '#test/outside/mailbox.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const DAY_MS = 86_400_000

let server: TestServer
let operator: Person
let owner: Person
let eve: Person
let stranger: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  operator = await createOperator(server, 'operator')
  owner = await createPerson(server, 'owner')
  eve = await createPerson(server, 'eve')
  stranger = await createPerson(server, 'stranger')
})
after(() => server.close())

beforeEach(async () => {
  await allow(true)
  space = await makeSpace(owner, [eve])
})

const rules = (person = operator) => person.client.api(Administration)
/** Waits for the event with this value in its data. */
async function awaitEvent(client: GatewayClient, name: string, field: string, value: unknown): Promise<void> {
  const has = (data: unknown) => isDeepStrictEqual(new Map(Object.entries(data ?? {})).get(field), value)
  await client.find(({ t, d }) => t === name && has(d), `${name} with ${field}`)
}

const web = (person = owner) => person.client.api(WebRooms)
const address = (roomId = space.general) => `/api/rooms/${roomId}/web`
const put = async (person: Person, body: unknown = {}, roomId?: string) => {
  const { status, code } = await person.call('PUT', address(roomId), body)
  return code ?? status
}

async function allow(isAllowed: boolean): Promise<void> {
  await rules().updatePublicPages({ public_pages: isAllowed })
  await awaitJobs(server)
}

async function roomOf(person: Person, roomId = space.general): Promise<Room> {
  const rooms = await person.client.rooms.list(space.id)
  const room = rooms.find(({ id }) => id === roomId)
  assert.ok(room)
  return room
}

/** Returns the contents of the lines about the web in the room, oldest first. */
async function lines(): Promise<string[]> {
  await awaitJobs(server)
  const messages = await eve.client.messages.list(space.general)
  const found = messages.filter(({ type }) => type === MessageType.WebNotice).reverse()
  assert.ok(found.every(({ author }) => author.id === owner.id))
  return found.map(({ content }) => content)
}

async function logged(action: string) {
  const { entries } = await owner.client.auditLog.list(space.id)
  return entries.filter((entry) => entry.action === action)
}

test('WEBROOM-1: nothing can be read on the web until an operator allows it', async () => {
  await allow(false)
  assert.deepEqual(await rules().getPublicPages(), { public_pages: false })
  assert.equal(await put(owner), 'public_pages_off')
  assert.deepEqual(await web().get(space.general), { is_allowed: false, is_open: true, web: null })
  assert.deepEqual(await lines(), [])
  assert.deepEqual(await rules().updatePublicPages({ public_pages: true }), { public_pages: true })
  assert.equal(await put(owner), 200)
  const { entries } = await rules().log()
  const [last] = entries.filter(({ action }) => action === 'public_pages_update')
  const details = { before: { public_pages: false }, after: { public_pages: true } }
  assert.deepEqual(last?.details, details)
})

test('WEBROOM-1: the rule is for operators, and takes only true and false', async () => {
  for (const person of [owner, stranger]) {
    assert.equal((await person.call('GET', '/api/operator/public-pages')).code, 'operator_only')
    const body = { public_pages: false }
    assert.equal((await person.call('PATCH', '/api/operator/public-pages', body)).code, 'operator_only')
  }
  for (const public_pages of [null, 1, 'false', undefined, []]) {
    const { code } = await operator.call('PATCH', '/api/operator/public-pages', { public_pages })
    assert.equal(code, 'invalid_request')
  }
  assert.deepEqual(await rules().getPublicPages(), { public_pages: true })
})

test('WEBROOM-1: rooms are off the web while the rule is off, and on it again afterwards', async () => {
  const { web: opened } = await web().open(space.general)
  const listening = await connect(server, eve)
  await allow(false)
  const isGone = ({ t, text }: ReceivedFrame) =>
    t === 'ROOM_UPDATE' && text.includes(space.general) && !text.includes('"web"')
  await listening.find(isGone, 'the room without web')
  assert.equal((await roomOf(eve)).web, undefined)
  const kept = { is_allowed: false, is_open: true, web: opened }
  assert.deepEqual(await web(eve).get(space.general), kept, 'its owner can still close it')
  await allow(true)
  await awaitEvent(listening, 'ROOM_UPDATE', 'web', opened)
  listening.close()
})

test('WEBROOM-2: only the owner opens and closes a room', async () => {
  await giveRole(owner, space.id, [eve], { permissions: Permission.Administrator })
  const bot = await createApplicationBot(server, owner, { name: 'Robot' })
  await owner.client.members.addBot(space.id, bot.id)
  assert.equal(await put(eve), 'owner_only')
  assert.equal(await put(stranger), 'not_a_member')
  assert.equal(await put(bot), 'bots_not_allowed')
  assert.equal((await roomOf(owner)).web, undefined)
  await web().open(space.general)
  for (const person of [eve, stranger, bot])
    assert.equal((await person.call('DELETE', address())).status, 403)
  assert.notEqual((await roomOf(owner)).web, undefined)
  assert.equal((await stranger.call('GET', address())).code, 'not_a_member')
  assert.notEqual((await web(eve).get(space.general)).web, null)
})

test('WEBROOM-3: only text rooms that everyone in the space can view are opened', async () => {
  assert.equal(await put(owner, {}, space.lounge), 'not_for_the_web')
  const { id: categoryId } = await owner.client.rooms.create(space.id, {
    name: 'More',
    type: RoomType.Category,
  })
  assert.equal(await put(owner, {}, categoryId), 'not_for_the_web')
  assert.equal(await put(owner, {}, newId()), 'unknown_room')
  const hidden = { target_id: space.id, target_type: 0, allow_flags: 0, deny_flags: Permission.ViewChannels }
  const secret = await owner.client.rooms.create(space.id, {
    name: 'secret',
    type: RoomType.Text,
    overwrites: [hidden],
  })
  assert.equal(await put(owner, {}, secret.id), 'room_not_open')
  assert.equal((await web().get(secret.id)).is_open, false)
  assert.equal((await eve.call('GET', address(secret.id))).code, 'missing_permission')
  for (const body of [
    { backwards: null },
    { backwards: 'yes' },
    { backwards: 1 },
    { is_indexed: null },
    { is_indexed: 0 },
    [],
  ])
    assert.equal(await put(owner, body), 'invalid_request')
  assert.equal((await roomOf(owner)).web, undefined)
})

test('WEBROOM-4: opening a room is told in the room, and counts from then on', async () => {
  const before = Date.now()
  const { web: opened } = await web().open(space.general)
  assert.ok(opened)
  assert.equal(opened.whole_from, null)
  assert.ok(Math.abs(Date.parse(opened.since) - before) < 60_000)
  assert.deepEqual(await web().open(space.general), { is_allowed: true, is_open: true, web: opened })
  assert.deepEqual(await lines(), ['on'])
  const [entry, ...others] = await logged('web_room_open')
  assert.deepEqual([entry?.actor_id, entry?.target_id, others], [owner.id, space.general, []])
  assert.deepEqual(entry?.after, { since: opened.since, whole_from: null, is_indexed: true })
})

test('WEBROOM-4: earlier messages follow a week later, unless the owner takes that back', async () => {
  const { web: opened } = await web().open(space.general, { backwards: true })
  const wholeFrom = opened?.whole_from ?? ''
  assert.equal(Date.parse(wholeFrom) - Date.parse(opened?.since ?? ''), 7 * DAY_MS)
  assert.deepEqual(await web().open(space.general), { is_allowed: true, is_open: true, web: opened })
  const { web: without } = await web().open(space.general, { backwards: false })
  assert.deepEqual(without, { since: opened?.since, whole_from: null, is_indexed: true })
  const { web: again } = await web().open(space.general, { backwards: true })
  assert.ok((again?.whole_from ?? '') > wholeFrom)
  assert.deepEqual(await lines(), [`on ${wholeFrom}`, 'later', `earlier ${again?.whole_from}`])
  const changes = await logged('web_room_update')
  assert.deepEqual(
    changes.map(({ before, after }) => [before, after]),
    [
      [{ whole_from: null }, { whole_from: again?.whole_from }],
      [{ whole_from: wholeFrom }, { whole_from: null }],
    ],
  )
})

test('WEBROOM-9: the owner keeps search engines away, which is logged, told to clients, and changes nothing else', async () => {
  const { web: opened } = await web().open(space.general, { backwards: true })
  const listening = await connect(server, eve)
  const { web: kept } = await web().open(space.general, { is_indexed: false })
  assert.deepEqual(kept, { ...opened, is_indexed: false })
  await awaitEvent(listening, 'ROOM_UPDATE', 'web', kept)
  listening.close()
  assert.deepEqual((await roomOf(eve)).web, kept)
  assert.deepEqual((await web().open(space.general)).web, kept)
  const [entry, ...others] = await logged('web_room_update')
  assert.deepEqual([entry?.before, entry?.after], [{ is_indexed: true }, { is_indexed: false }])
  assert.deepEqual(others, [])
  assert.deepEqual(await lines(), [`on ${opened?.whole_from}`])
  assert.equal(await put(eve, { is_indexed: true }), 'owner_only')
  await web().close(space.general)
  assert.equal((await web().open(space.general)).web?.is_indexed, true)
})

test('SEARCH-5: notices about the web are not found', async () => {
  await web().open(space.general, { backwards: true })
  await lines()
  const { id } = await owner.client.messages.create(space.general, { content: 'on top' })
  for (const query of [{ author_id: [owner.id] }, { query: 'on' }]) {
    const { messages } = await eve.client.search.space(space.id, query)
    assert.deepEqual(
      messages.map((message) => message.id),
      [id],
    )
  }
})

test('WEBROOM-4: a room that is opened many times at once is opened once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => put(owner, { backwards: true })))
  assert.deepEqual(new Set(answers), new Set([200]))
  assert.equal((await lines()).length, 1)
})

test('WEBROOM-5: members see which rooms are on the web', async () => {
  const listening = await connect(server, eve)
  const { web: opened } = await web().open(space.general)
  await awaitEvent(listening, 'ROOM_UPDATE', 'web', opened)
  listening.close()
  assert.deepEqual((await roomOf(eve)).web, opened)
  assert.equal('web' in (await roomOf(eve, space.lounge)), false)
  const again = await connect(server, eve)
  const { d: ready }: { d: Ready } = JSON.parse((await again.findEvent('READY')).text)
  const rooms = ready.spaces.find(({ id }) => id === space.id)?.rooms ?? []
  assert.deepEqual(rooms.find(({ id }) => id === space.general)?.web, opened)
  again.close()
  const { web: kept } = await owner.client.rooms.update(space.id, space.general, { name: 'renamed' })
  assert.deepEqual(kept, opened)
})

test('WEBROOM-6: closing ends it at once, is told, and can be done again', async () => {
  await web().open(space.general)
  await web().close(space.general)
  assert.equal('web' in (await roomOf(eve)), false)
  await web().close(space.general)
  assert.deepEqual(await lines(), ['on', 'off'])
  assert.equal((await logged('web_room_close')).length, 1)
  const { web: later } = await web().open(space.general)
  assert.notEqual(later, null)
})

test('WEBROOM-6: a room can be closed while the server has no such pages, and is closed with its deletion', async () => {
  await web().open(space.general)
  await allow(false)
  await web().close(space.general)
  await allow(true)
  assert.equal('web' in (await roomOf(eve)), false)
  await web().open(space.general)
  await owner.client.rooms.delete(space.id, space.general)
  assert.equal((await owner.call('GET', address())).code, 'unknown_room')
  assert.equal((await owner.call('DELETE', address())).code, 'unknown_room')
})

test('WEBROOM-7: users decide how they appear on the web, and nobody else sees it', async () => {
  assert.equal((await eve.client.users.me()).web_presence, 'name')
  const listening = await connect(server, eve)
  for (const web_presence of ['none', 'no_name', 'name'] as const) {
    const saved = await eve.client.users.updateMe({ web_presence })
    assert.equal(saved.web_presence, web_presence)
    await awaitEvent(listening, 'USER_UPDATE', 'web_presence', web_presence)
    await eve.client.users.updateMe({ alias: `Eve ${web_presence}` })
    assert.equal((await eve.client.users.me()).web_presence, web_presence)
  }
  listening.close()
  for (const web_presence of [null, 0, 'all', '', ['name']])
    assert.equal((await eve.call('PATCH', '/api/users/@me', { web_presence })).code, 'invalid_request')
  assert.equal('web_presence' in (await owner.client.users.get(eve.id)), false)
})
