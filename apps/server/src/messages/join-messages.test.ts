import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Ready } from '@foyer/protocol/events'
import { type Message, MessageType } from '@foyer/protocol/messages'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { POST_JOIN_MESSAGE } from '#src/spaces/joining.ts'
import { connect } from '#test/gateway-client.ts'
import { awaitJobs } from '#test/outside/mailbox.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { giveRole } from '#test/scenes/roles.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { joinMessageJobs } from './join-messages.ts'

let server: TestServer
let owner: Person
let eve: Person
let kim: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  owner = await createPerson(server, 'owner')
  eve = await createPerson(server, 'eve')
  kim = await createPerson(server, 'kim')
})
after(() => server.close())

beforeEach(async () => {
  space = await announcingSpace()
})

/** Makes a space with join messages, as the web client does. */
async function announcingSpace(): Promise<TestSpace> {
  const made = await owner.client.spaces.create({ name: 'Tea', announce_joins: true })
  const find = (type: number) => made.rooms.find((room) => room.type === type)?.id ?? ''
  const rooms = { general: find(RoomType.Text), lounge: find(RoomType.Voice) }
  assert.equal(made.space.system_room_id, rooms.general)
  return { id: made.space.id, rooms: made.rooms, ...rooms }
}

/** Returns the users whose joins were announced in the room, oldest first. */
async function announced(roomId = space.general): Promise<string[]> {
  await awaitJobs(server)
  const messages = await owner.client.messages.list(roomId)
  const found = messages.filter(({ type }) => type === MessageType.MemberJoined).reverse()
  return found.map(({ author }) => author.id)
}

const setRoom = (roomId: string | null, person = owner) =>
  codeOf(person.call('PATCH', `/api/spaces/${space.id}`, { system_room_id: roomId }))

test('SPACE-16: a new member is announced by a message without text, which counts as unread', async () => {
  const listening = await connect(server, owner)
  await join(eve, owner, space)
  assert.deepEqual(await announced(), [eve.id])
  const [message] = await owner.client.messages.list(space.general)
  const { type, content, seq, mentions, mention_everyone, member } = message ?? assert.fail()
  assert.deepEqual([type, content, seq, mentions, mention_everyone], [2, '', 1, [], false])
  assert.equal(member?.id, eve.id)
  const heard: { d: Message } = JSON.parse((await listening.findEvent('MESSAGE_CREATE')).text)
  listening.close()
  assert.deepEqual([heard.d.id, heard.d.type], [message?.id, MessageType.MemberJoined])
  const states = async (person: Person) => {
    const client = await connect(server, person)
    client.close()
    const { d: ready }: { d: Ready } = JSON.parse(client.heard('READY')[0]?.text ?? '')
    const state = ready.read_states.find(({ room_id }) => room_id === space.general)
    return [state?.unread_count, state?.mention_count]
  }
  assert.deepEqual(await states(owner), [1, 0])
  assert.deepEqual(await states(eve), [0, 0])
})

test('SPACE-16: a bot is announced like people; joining twice, and coming back, announces nobody again', async () => {
  const bot = await createApplicationBot(server, owner, { name: 'Robot', bot_public: true })
  await join(eve, owner, space)
  await join(eve, owner, space)
  assert.deepEqual(await announced(), [eve.id])
  await eve.client.members.leave(space.id)
  await join(eve, owner, space)
  await owner.client.members.addBot(space.id, bot.id)
  assert.deepEqual(await announced(), [eve.id, bot.id])
})

test('SPACE-16: a job that runs twice posts one message, and none for a member who left or a deleted room', async () => {
  await join(eve, owner, space)
  await join(kim, owner, space)
  assert.equal((await announced()).length, 2)
  const handler = joinMessageJobs(server.deps).handlers[POST_JOIN_MESSAGE]
  assert.ok(handler)
  const job = { space_id: space.id, room_id: space.general, user_id: eve.id }
  await Promise.all([handler(job), handler(job)])
  assert.equal((await announced()).length, 2)
  const { id } = await owner.client.rooms.create(space.id, { name: 'hall', type: RoomType.Text })
  await kim.client.members.leave(space.id)
  await handler({ ...job, room_id: id, user_id: kim.id })
  assert.deepEqual(await announced(id), [])
  await handler({ ...job, room_id: id })
  assert.deepEqual(await announced(id), [eve.id])
  await owner.client.rooms.delete(space.id, id)
  await handler({ ...job, room_id: id })
})

test('SPACE-16: nobody is announced past 20 a minute, in that space only', async (context) => {
  const limited = await startTestServer({ rateLimits: true })
  context.after(() => limited.close())
  const host = await createPerson(limited, 'host')
  const open = async () => {
    const { space, rooms } = await host.client.spaces.create({ name: 'Tea', announce_joins: true })
    const general = rooms.find(({ type }) => type === RoomType.Text)?.id ?? ''
    return { general, code: (await host.client.invites.create(space.id, general)).code }
  }
  const [raided, calm] = [await open(), await open()]
  // More than two minutes' allowance, because a new minute may begin in between.
  const raiders = Array.from({ length: 45 }, (_, index) => createPerson(limited, `raider${index}`))
  for (const raider of await Promise.all(raiders)) await raider.client.invites.join(raided.code)
  const guest = await createPerson(limited, 'guest')
  await guest.client.invites.join(calm.code)
  await awaitJobs(limited)
  const count = async (roomId: string) => (await host.client.messages.list(roomId, { limit: 100 })).length
  const inRaided = await count(raided.general)
  assert.ok(inRaided >= 20 && inRaided <= 40, `${inRaided} announced`)
  assert.equal(await count(calm.general), 1)
})

test('SPACE-17: a space has no system room unless it asks for one, and then nobody is announced', async () => {
  const silent = await makeSpace(owner, [eve])
  assert.equal((await owner.client.spaces.get(silent.id)).system_room_id, null)
  await awaitJobs(server)
  assert.deepEqual(await owner.client.messages.list(silent.general), [])
})

test('SPACE-17: members who may update the space choose one of its text rooms, or none', async () => {
  const other = await makeSpace(owner)
  const category = space.rooms.find(({ type }) => type === RoomType.Category)?.id ?? ''
  const { id } = await owner.client.rooms.create(space.id, { name: 'hall', type: RoomType.Text })
  for (const wrong of [space.lounge, category, other.general, space.id])
    assert.equal(await setRoom(wrong), '400 not_a_text_room')
  await join(kim, owner, space)
  assert.equal(await setRoom(id, kim), '403 cannot_manage_space')
  assert.equal((await owner.client.spaces.get(space.id)).system_room_id, space.general)
  await giveRole(owner, space.id, [kim], { permissions: Permission.Administrator })
  assert.equal(await setRoom(id, kim), 200)
  await join(eve, owner, space)
  assert.deepEqual([await announced(), await announced(id)], [[kim.id], [eve.id]])
  await eve.client.members.leave(space.id)
  assert.equal(await setRoom(null), 200)
  await join(eve, owner, space)
  assert.deepEqual([await announced(), await announced(id)], [[kim.id], [eve.id]])
})

test('SPACE-17: a form sets the room, and an empty text clears it', async () => {
  const put = async (value: string) => {
    const form = new FormData()
    form.set('system_room_id', value)
    assert.equal(await codeOf(owner.call('PATCH', `/api/spaces/${space.id}`, form)), 200)
    return (await owner.client.spaces.get(space.id)).system_room_id
  }
  assert.equal(await put(''), null)
  assert.equal(await put(space.general), space.general)
})

test('SPACE-17: the setting is cleared with its room', async () => {
  const { id } = await owner.client.rooms.create(space.id, { name: 'hall', type: RoomType.Text })
  await owner.client.rooms.delete(space.id, id)
  assert.equal((await owner.client.spaces.get(space.id)).system_room_id, space.general)
  await owner.client.rooms.delete(space.id, space.general)
  const after = await owner.client.spaces.get(space.id)
  assert.equal(after.system_room_id, null)
  const journal = await listJournal(server, topicOf.space(space.id))
  assert.deepEqual(
    journal.filter(({ name }) => name === 'SPACE_UPDATE').map(({ data }) => data),
    [after],
  )
  await join(eve, owner, { ...space, general: space.lounge })
  await awaitJobs(server)
  assert.deepEqual(await owner.client.messages.list(space.lounge), [])
})
