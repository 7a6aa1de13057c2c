import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Opcode } from '@foyer/protocol/gateway'
import { MUTED_FOR_EVER, type PushPayload } from '@foyer/protocol/notifications'
import { Permission } from '@foyer/protocol/permissions'
import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect } from '#test/gateway-client.ts'
import {
  type Browser,
  hurryToEnd,
  hurryUntil,
  type PushService,
  startPushService,
  subscribeBrowser,
} from '#test/outside/push-service.ts'
import { acquaint, makeDirect, makeGroup } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let service: PushService
let ada: Person
let eve: Person
let kim: Person
let space: TestSpace
/** A space without Eve. */
let elsewhere: TestSpace
let room: string
let [phone, tablet]: Browser[] = []

before(async () => {
  service = await startPushService()
  server = await startTestServer({ allowedPrivateHosts: ['127.0.0.1'] })
  ada = await createPerson(server, 'ada')
  eve = await createPerson(server, 'eve')
  kim = await createPerson(server, 'kim')
  space = await makeSpace(ada, [eve, kim])
  elsewhere = await makeSpace(ada, [kim])
  phone = await subscribeBrowser(service, eve, 'eve')
  tablet = await subscribeBrowser(service, kim, 'kim')
  await subscribeBrowser(service, ada, 'ada')
})
after(async () => {
  await server.close()
  await service.close()
})
beforeEach(async () => {
  room = (await ada.client.rooms.create(space.id, { name: 'kitchen', type: 1 })).id
})

const at = (person: Person) => `<@${person.id}>`

async function say(content: string, where: ChannelAddress = room, person = ada): Promise<string> {
  const { id } = await person.client.messages.create(where, { content })
  return id
}

/** Returns all pushes to Eve so far. A message to Kim, sent afterwards, is pushed last. */
async function pushedToEve(
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<PushPayload[]> {
  const seen = phone?.pushes().length ?? 0
  await meanwhile()
  const last = await say(at(kim), elsewhere.general)
  await hurryUntil(
    server,
    () => tablet?.pushes().some(({ message_id }) => message_id === last) ?? false,
    'what was said last is pushed',
  )
  await hurryToEnd(server)
  return phone?.pushes().slice(seen) ?? []
}

const bodies = (pushes: readonly PushPayload[]) => pushes.map(({ body }) => body).toSorted()

test('PUSH-7: a message in a room is pushed to the users it mentions, in each way', async () => {
  const role = await ada.client.roles.create(space.id, { name: 'cooks' })
  await ada.client.roles.assign(space.id, eve.id, role.id)
  const asked = await say('mine', room, eve)
  const pushes = await pushedToEve(async () => {
    await say('plain')
    await say(`${at(eve)} by name`)
    await say(`<@&${role.id}> by role`)
    await say('@everyone by all')
    await ada.client.messages.create(room, { content: 'by reply', reference: { message_id: asked } })
    await say(`${at(kim)} another`)
    await say(`${at(eve)} oneself`, room, eve)
    await ada.client.messages.create(room, { content: `${at(eve)} silent`, flags: 2 })
  })
  const told = ['@cooks by role', '@eve by name', '@everyone by all', 'by reply']
  assert.deepEqual(bodies(pushes), told)
  assert.ok(pushes.every(({ kind }) => kind === 'mention'))
})

test('PUSH-7: users who chose all get every message, those who muted get none, and the nearest setting counts', async () => {
  const { notifications } = eve.client
  await notifications.updateSetting('space', space.id, { level: 'all' })
  const pushes = await pushedToEve(() => say('all'))
  assert.deepEqual([bodies(pushes), pushes[0]?.kind], [['all'], 'room'])
  const quiet = [{ level: 'none' }, { level: 'all', muted_until: MUTED_FOR_EVER }] as const
  for (const setting of quiet) {
    await notifications.updateSetting('room', room, setting)
    assert.deepEqual(await pushedToEve(() => say(`${at(eve)} muted`)), [])
  }
  await notifications.updateSetting('room', room, { level: 'mentions', muted_until: null })
  assert.deepEqual(await pushedToEve(() => say('not me')), [])
  await notifications.updateSetting('space', space.id, { muted_until: MUTED_FOR_EVER })
  assert.deepEqual(await pushedToEve(() => say(at(eve))), [])
  await notifications.deleteSetting('space', space.id)
  assert.equal((await pushedToEve(() => say(at(eve)))).length, 1)
})

test('PUSH-7: a message in a conversation is pushed to everyone but the author, according to their settings', async () => {
  const { id: direct } = await makeDirect(server, ada, eve)
  const { id: group } = await makeGroup(server, ada, [eve, kim])
  const pushes = await pushedToEve(async () => {
    await say('to one', { conversation: direct })
    await say('to some', { conversation: group })
  })
  assert.deepEqual(
    pushes.map(({ body, kind, title, url }) => [body, kind, title, url.split('/')[2]]).toSorted(),
    [
      ['to one', 'direct', 'ada', direct],
      ['to some', 'group', 'ada (Tea)', group],
    ],
  )
  await eve.client.notifications.updateSetting('conversation', group, { level: 'mentions' })
  const choosy = await pushedToEve(async () => {
    await say('to nobody', { conversation: group })
    await say(`to ${at(eve)}`, { conversation: group })
  })
  assert.deepEqual(bodies(choosy), ['to @eve'])
})

test('PUSH-8: permissions, blocks, the message and read states count as they are when the push is sent', async () => {
  await acquaint(server, [ada, eve])
  const hide = () =>
    insertOverwrite(server, space.id, {
      room_id: room,
      target_id: eve.id,
      target_type: 1,
      allow_flags: 0,
      deny_flags: Permission.ViewChannels,
    })
  const pushes = await pushedToEve(async () => {
    await say(`${at(eve)} hidden by then`)
    await hide()
  })
  assert.deepEqual(pushes, [])
  room = space.lounge
  const changed = await pushedToEve(async () => {
    await ada.client.messages.update(room, await say(`${at(eve)} before`), { content: `${at(eve)} after` })
    await ada.client.messages.delete(room, await say(`${at(eve)} deleted`))
  })
  assert.deepEqual(bodies(changed), ['@eve after'])
  const read = await pushedToEve(async () => eve.client.messages.ack(room, await say(at(eve))))
  assert.deepEqual(read, [])
  const blocked = await pushedToEve(async () => {
    await say(at(eve))
    await eve.client.friends.block(ada.id)
  })
  await eve.client.friends.unblock(ada.id)
  assert.deepEqual(blocked, [])
  assert.equal((await pushedToEve(() => say(at(eve)))).length, 1)
})

test('PUSH-9: users who are online or dnd get no push; idle and invisible ones do', async () => {
  await eve.client.users.chooseStatus('dnd')
  const withoutDevice = await pushedToEve(() => say(at(eve)))
  await server.deps.database.execute(
    sql`update users set chosen_until = now() - interval '1 second' where id = ${eve.id}`,
  )
  const afterItsEnd = await pushedToEve(() => say(at(eve)))
  await eve.client.users.chooseStatus('online')
  assert.deepEqual([withoutDevice.length, afterItsEnd.length], [0, 1])
  const desk = await connect(server, eve)
  const pushedWhile = async (status: string) => {
    desk.send(Opcode.PresenceUpdate, { status })
    await desk.settle()
    return (await pushedToEve(() => say(at(eve)))).length
  }
  const counts = []
  for (const status of ['online', 'dnd', 'idle', 'invisible']) counts.push(await pushedWhile(status))
  assert.deepEqual(counts, [0, 0, 1, 1])
  desk.send(Opcode.PresenceUpdate, { status: 'online' })
  await desk.settle()
  desk.close()
  await desk.closed
  assert.equal((await pushedToEve(() => say(at(eve)))).length, 1)
})

test('PUSH-10: only the newest of several messages in a few seconds is pushed, and each that mentions', async () => {
  const { id: conversation } = await makeDirect(server, kim, eve)
  const pushes = await pushedToEve(async () => {
    for (const word of ['one', 'two', `${at(eve)} named`, 'three']) await say(word, { conversation }, kim)
  })
  assert.deepEqual(bodies(pushes), ['@eve named', 'three'])
})

test('PUSH-10: a message without mentions is pushed, however many with mentions follow it', async () => {
  await eve.client.notifications.updateSetting('space', space.id, { level: 'all' })
  const pushes = await pushedToEve(async () => {
    await say('lunch is ready')
    for (let count = 0; count < 25; count += 1) await say(`${at(kim)} ${count}`)
  })
  await eve.client.notifications.deleteSetting('space', space.id)
  assert.ok(bodies(pushes).includes('lunch is ready'))
  assert.equal(pushes.length, 26)
})

test('PUSH-11: texts have names and no markup, hide spoilers and hidden rooms, and fit the limit', async () => {
  const { id: hidden } = await ada.client.rooms.create(space.id, { name: 'surprise', type: 1 })
  const target = { room_id: hidden, target_id: space.id, target_type: 0, allow_flags: 0 }
  await insertOverwrite(server, space.id, { ...target, deny_flags: Permission.ViewChannels })
  await ada.client.members.updateMe(space.id, { nickname: 'Ada L' })
  const [push, ...others] = await pushedToEve(() =>
    say(`${at(eve)} **see** <#${room}> <#${hidden}> ||cake||`),
  )
  assert.deepEqual(others, [])
  const text = '@eve see #kitchen #… █████'
  const { title, body, kind, author_name, room_name, space_name, attachment_count } = push ?? {}
  assert.deepEqual([title, body, push?.text], ['Ada L (#kitchen, Tea)', text, text])
  assert.deepEqual([kind, author_name, room_name, space_name], ['mention', 'Ada L', 'kitchen', 'Tea'])
  assert.deepEqual(
    [push?.author_id, push?.room_id, push?.space_id, push?.conversation_id, attachment_count],
    [ada.id, room, space.id, undefined, 0],
  )
  assert.equal(push?.url, `/spaces/${space.id}/rooms/${room}/${push?.message_id}`)
  await ada.client.members.updateMe(space.id, { nickname: '😀'.repeat(64) })
  const [wide] = await pushedToEve(() => say(at(eve) + '👩‍👩‍👧'.repeat(400)))
  await ada.client.members.updateMe(space.id, { nickname: null })
  assert.ok(Buffer.byteLength(JSON.stringify(wide)) <= 3000)
  assert.match(wide?.body ?? '', /^@eve.+…$/)
})

test('PUSH-13: pushes are urgent, expire, and replace undelivered ones of the same room', async () => {
  const before = phone?.headers().length
  await pushedToEve(async () => {
    for (const where of [room, room, space.general]) await say(at(eve), where)
  })
  const headers = phone?.headers().slice(before) ?? []
  assert.ok(headers.every(({ ttl, urgency }) => ttl === '259200' && urgency === 'high'))
  const topics = headers.map(({ topic }) => String(topic))
  assert.deepEqual([topics.length, new Set(topics).size], [3, 2])
  assert.ok(topics.every((topic) => /^[\w-]{1,32}$/.test(topic)))
  const ofKim = tablet?.headers().map(({ topic }) => String(topic)) ?? []
  assert.ok(topics.every((topic) => !ofKim.includes(topic)))
})
