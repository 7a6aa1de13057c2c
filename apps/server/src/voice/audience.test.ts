import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { event } from '#src/kernel/database/events.ts'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { listSpaceStates } from '#src/spaces/state.ts'
import { connect, type GatewayClient, identify, openSession, resume } from '#test/gateway-client.ts'
import { acquaint, makeGroup } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { changeVoice, endAllVoice, joinVoice, knownVoices, statesInReady } from '#test/voice/voice.ts'

let server: TestServer
let ada: Person
let ben: Person
let eve: Person
let kim: Person
let space: TestSpace
let backstage: string
let client: GatewayClient

before(async () => {
  server = await startOwnServer()
  ada = await createPerson(server, 'ada')
  ben = await createPerson(server, 'ben')
  eve = await createPerson(server, 'eve')
  kim = await createPerson(server, 'kim')
})
after(() => server.close())
beforeEach(async () => {
  client?.close()
  await endAllVoice(server)
  space = await makeSpace(ada, [ben])
  backstage = (await ada.client.rooms.create(space.id, { name: 'backstage', type: RoomType.Voice })).id
  await show(false)
  client = await connect(server, ada)
})

/** True if others than the owner may view the back room. */
function show(isShown: boolean): Promise<unknown> {
  const { ViewChannels } = Permission
  const target = { target_id: space.id, target_type: OverwriteTarget.Role }
  const flags = isShown
    ? { allow_flags: ViewChannels, deny_flags: 0 }
    : { allow_flags: 0, deny_flags: ViewChannels }
  return ada.client.overwrites.upsert(space.id, backstage, { ...target, ...flags })
}

function placesOf(listener: GatewayClient): unknown[] {
  return knownVoices(listener.frames).map(({ room_id, conversation_id }) => room_id ?? conversation_id)
}

async function placesInReady(person: Person): Promise<unknown[]> {
  const states = await statesInReady(server, person)
  return states.map(({ room_id, conversation_id }) => room_id ?? conversation_id)
}

/** Returns the room and voice events of a connection, in order. */
function toldOf(listener: GatewayClient): unknown[] {
  return listener.frames
    .filter(({ t }) => /^(VOICE_STATE_UPDATE|(ROOM|SPACE|CONVERSATION)_(CREATE|DELETE))$/.test(t ?? ''))
    .map(({ t, d }) => [t, Object(d).room_id ?? Object(d).conversation_id ?? null])
}

test('VOICE-7: only viewers of the room receive its states; a user who gains it receives them, and one who loses it no more', async () => {
  const his = await connect(server, ben)
  const session = await joinVoice(client, { room_id: backstage })
  assert.deepEqual(await statesInReady(server, ben), [])
  await show(true)
  const { d, s } = await his.findEvent('VOICE_STATE_UPDATE')
  assert.deepEqual([Object(d).session_id, Object(d).room_id, s], [session, backstage, undefined])
  await changeVoice(client, { room_id: backstage, self_mute: true })
  await show(false)
  await changeVoice(client, { room_id: backstage, self_mute: false })
  await joinVoice(client, { room_id: space.lounge })
  await his.find(({ d }) => Object(d).room_id === space.lounge, 'the other room')
  await his.settle()
  assert.deepEqual(toldOf(his), [
    ['ROOM_CREATE', null],
    ['VOICE_STATE_UPDATE', backstage],
    ['VOICE_STATE_UPDATE', backstage],
    ['ROOM_DELETE', backstage],
    ['VOICE_STATE_UPDATE', space.lounge],
  ])
  his.close()
})

test('VOICE-7: a user who joins a space or a conversation receives its states, and its end removes them', async () => {
  const { id: group } = await makeGroup(server, ada, [ben, kim])
  await acquaint(server, [ada, eve])
  const others = await connect(server, ben)
  await joinVoice(client, { room_id: space.lounge })
  await joinVoice(others, { conversation_id: group })
  const newcomer = await connect(server, eve)
  await join(eve, ada, space)
  await ada.client.conversations.addMember(group, eve.id)
  await newcomer.find(() => placesOf(newcomer).length === 2, 'both')
  assert.deepEqual(placesOf(newcomer), await placesInReady(eve))
  await ada.client.conversations.removeMember(group, eve.id)
  await eve.client.members.leave(space.id)
  await newcomer.find(() => placesOf(newcomer).length === 0, 'neither')
  assert.deepEqual(await placesInReady(eve), [])
  for (const each of [newcomer, others]) each.close()
})

test('VOICE-7: changes during a join are received after what the new member first receives', async () => {
  const { bus, database } = server.deps
  const his = await connect(server, ben)
  const gone = await joinVoice(client, { room_id: space.lounge })
  const [told] = await listSpaceStates(database, ben.id, [space.id], { forums: false })
  assert.equal(told?.voice_states[0]?.session_id, gone)
  await changeVoice(client, {})
  const hers = await connect(server, kim)
  await join(kim, ada, space)
  const session = await joinVoice(hers, { room_id: space.lounge })
  // Published as by another process that stalled in between.
  const { topic, name, data } = event(topicOf.user(ben.id), 'SPACE_CREATE', told)
  await bus.emit([{ id: newId(), topic, audience: 0, name, data }])
  const known = () => knownVoices(his.frames).map(({ session_id }) => session_id)
  await his.find(() => his.heard('SPACE_CREATE').length > 0 && `${known()}` === session, 'who is there')
  for (const each of [his, hers]) each.close()
})

/** Away while something happens; the frames of before and after. */
async function miss(person: Person, before: () => Promise<unknown>, meanwhile: () => Promise<unknown>) {
  const identity = await openSession(server, person.id)
  const away = await identify(server, identity)
  await before()
  await away.settle()
  away.close()
  await meanwhile()
  const s = away.frames.findLast((frame) => frame.s !== undefined)?.s ?? ''
  const back = await resume(server, identity, s)
  back.close()
  return [...away.frames, ...back.frames]
}

test('VOICE-9: a client that resumes has the current states, whoever joined, left or was hidden in between', async () => {
  const hers = await connect(server, kim)
  await join(kim, ada, space)
  await joinVoice(client, { room_id: space.lounge })
  const frames = await miss(
    ben,
    () => changeVoice(client, { room_id: space.lounge, self_mute: true }),
    async () => {
      await joinVoice(client, { room_id: backstage })
      await joinVoice(hers, { room_id: space.lounge })
      await changeVoice(hers, { room_id: space.lounge, self_deaf: true })
    },
  )
  assert.deepEqual(knownVoices(frames), await statesInReady(server, ben))
  assert.deepEqual((await placesInReady(ben)).length, 1)
  hers.close()
})

test('VOICE-9: states from just before `s` are sent as they are now, and not replayed', async () => {
  await joinVoice(client, { room_id: space.lounge })
  const frames = await miss(
    ben,
    () => changeVoice(client, {}),
    async () => undefined,
  )
  assert.deepEqual(knownVoices(frames), [])
  const replayed = frames.slice(frames.findIndex(({ t }) => t === 'READY') + 2)
  const voices = replayed.filter(({ t }) => t === 'VOICE_STATE_UPDATE')
  assert.ok(voices.length > 0)
  assert.deepEqual(new Set(voices.map(({ d, s }) => [Object(d).room_id, s].join())), new Set([',']))
})

test('VOICE-9: a client that resumes after being added during a call receives the users in it', async () => {
  const { id: group } = await makeGroup(server, ada, [ben, kim])
  await acquaint(server, [ada, eve])
  await joinVoice(client, { conversation_id: group })
  // As if they had come longer ago than the replay begins.
  await server.deps.database.execute(sql`delete from events where tenant_id = ${group}`)
  const frames = await miss(
    eve,
    async () => undefined,
    () => ada.client.conversations.addMember(group, eve.id),
  )
  assert.deepEqual(
    knownVoices(frames).map(({ conversation_id }) => conversation_id),
    [group],
  )
})
