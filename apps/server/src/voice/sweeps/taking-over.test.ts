import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, before, beforeEach, test } from 'node:test'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { VoiceState } from '@foyer/protocol/voice'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient, identify, openSession } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { makeGroup } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, startTestServer, type TestServer } from '#test/server.ts'
import { askVoice, changeVoice, endAllVoice, joinVoice, signalsOf, statesInReady } from '#test/voice/voice.ts'
import { endSessions } from '../states/ending.ts'

let server: TestServer
let ada: Person
let ben: Person
let eve: Person
let space: TestSpace
let stage: string
let group: string
const clients: GatewayClient[] = []

before(async () => {
  server = await startOwnServer()
  ada = await createPerson(server, 'ada')
  ben = await createPerson(server, 'ben')
  eve = await createPerson(server, 'eve')
  group = (await makeGroup(server, ada, [ben, eve])).id
})
after(() => server.close())
beforeEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await endAllVoice(server)
  space = await makeSpace(ada, [ben])
  stage = (await ada.client.rooms.create(space.id, { name: 'stage', type: RoomType.Voice })).id
})

/** A connection of a login of its own. */
async function open(person = ben): Promise<GatewayClient> {
  const client = await connect(server, person)
  clients.push(client)
  return client
}

async function statesOf({ id }: Person): Promise<VoiceState[]> {
  return (await statesInReady(server, ada)).filter(({ user_id }) => user_id === id)
}

/** The voice states received by viewers of the room: session, and whether it is there. */
async function told(topic = topicOf.room(space.id, space.lounge)): Promise<[string, boolean][]> {
  const journal = await listJournal(server, topic)
  const states = journal.filter(({ name }) => name === 'VOICE_STATE_UPDATE').map(({ data }) => Object(data))
  return states.map(({ session_id, room_id, conversation_id }) => [
    session_id,
    (room_id ?? conversation_id) !== null,
  ])
}

test('VOICE-3: a join ends the existing session, in another room, of another login or of the same one', async () => {
  const session = await openSession(server, ben.id)
  const [one, other] = [await identify(server, session), await identify(server, session)]
  clients.push(one, other)
  const first = await joinVoice(one, { room_id: space.lounge })
  const second = await joinVoice(other, { room_id: stage })
  const third = await joinVoice(await open(), { room_id: space.lounge })
  assert.deepEqual(await told(), [
    [first, true],
    [first, false],
    [third, true],
  ])
  assert.deepEqual(await told(topicOf.room(space.id, stage)), [
    [second, true],
    [second, false],
  ])
  assert.deepEqual(
    signalsOf(one, 'end').map(({ session_id, reason }) => [session_id, reason]),
    [
      [first, 'moved'],
      [second, 'taken_over'],
    ],
  )
  assert.deepEqual(
    (await statesOf(ben)).map(({ session_id }) => session_id),
    [third],
  )
})

test('VOICE-16: a join after a lost session replaces that one only, and not where the user is now', async () => {
  const session = await openSession(server, ben.id)
  const [one, other] = [await identify(server, session), await identify(server, session)]
  clients.push(one, other)
  const first = await joinVoice(one, { room_id: space.lounge })
  const second = await joinVoice(other, { room_id: stage, session_id: null, after_session_id: first })
  const late = { room_id: space.lounge, session_id: null, after_session_id: first }
  assert.equal(await askVoice(one, late), 'joined_elsewhere')
  assert.deepEqual(
    (await statesOf(ben)).map(({ session_id }) => session_id),
    [second],
  )
  await changeVoice(other, { room_id: null })
  await joinVoice(one, late)
})

test('VOICE-3: a user who joins a call again does not leave it in between', async () => {
  await joinVoice(await open(), { conversation_id: group })
  await joinVoice(await open(), { conversation_id: group })
  const journal = await listJournal(server, topicOf.conversation(group))
  const names = journal.map(({ name }) => name).filter((name) => /^(CALL|VOICE)/.test(name))
  assert.deepEqual(names, ['CALL_CREATE', 'VOICE_STATE_UPDATE', 'VOICE_STATE_UPDATE'])
  await changeVoice(await open(), {})
  assert.equal((await listJournal(server, topicOf.conversation(group))).at(-1)?.name, 'CALL_DELETE')
})

test('VOICE-3: one of several simultaneous joins is left, and the others receive their end', async () => {
  const devices = await Promise.all([open(), open(), open(), open()])
  const places = [
    { room_id: space.lounge },
    { room_id: stage },
    { conversation_id: group },
    { room_id: stage },
  ]
  const [watcher] = devices
  assert.ok(watcher)
  const answers = await Promise.all(devices.map((device, index) => askVoice(device, { ...places[index] })))
  const [state, ...more] = await statesOf(ben)
  assert.ok(state !== undefined && more.length === 0)
  await watcher.find(() => endedOf(watcher).length === 3, 'three ends')
  assert.ok(!endedOf(watcher).includes(state.session_id))
  for (const answer of answers) {
    if (typeof answer === 'string') assert.equal(answer, 'joined_elsewhere')
    else assert.ok([...endedOf(watcher), state.session_id].includes(answer.session_id))
  }
})

/** Sessions that the user was notified have ended. */
function endedOf(client: GatewayClient): string[] {
  return [...new Set(signalsOf(client, 'end').map(({ session_id }) => session_id))]
}

/** Waits for two at the lock: then both meet. */
async function together<T>(lock: Query, blocked: number, requests: () => Promise<T>[]): Promise<T[]> {
  const held = await holdLock(server, lock)
  const asked = Promise.all(requests())
  await held.waitForBlocked(blocked)
  await held.release()
  return asked
}

const voiceOf = (id: string) => sql`select pg_advisory_xact_lock(hashtextextended('voice of ' || ${id}, 0))`
const spaceRow = () => sql`select from spaces where id = ${space.id} for no key update`

test('VOICE-3: two users who move in opposite directions cause no deadlock', async () => {
  const { id: other } = await makeGroup(server, ada, [ben, eve])
  const [his, hers] = [await open(), await open(eve)]
  await joinVoice(his, { conversation_id: group })
  await joinVoice(hers, { conversation_id: other })
  const lock = sql`
    select pg_advisory_xact_lock(hashtextextended('voice of ' || id, 0))
    from unnest(${[ben.id, eve.id]}::uuid[]) as person (id)`
  await together(lock, 2, () => [
    joinVoice(his, { conversation_id: other }),
    joinVoice(hers, { conversation_id: group }),
  ])
  const [his_, hers_] = [await statesOf(ben), await statesOf(eve)]
  assert.deepEqual([his_[0]?.conversation_id, hers_[0]?.conversation_id], [other, group])
})

test('VOICE-15: a user who loses the permission, the room or the membership before the join is committed is refused', async () => {
  const client = await open()
  const deny = { room_id: space.lounge, target_id: space.id, target_type: OverwriteTarget.Role }
  const { id: hall } = await ada.client.rooms.create(space.id, { name: 'hall', type: RoomType.Voice })
  const losses: [string, () => Promise<unknown>, string][] = [
    [
      space.lounge,
      () =>
        ada.client.overwrites.upsert(space.id, space.lounge, {
          ...deny,
          allow_flags: 0,
          deny_flags: Permission.JoinVoice,
        }),
      'missing_permission',
    ],
    [stage, () => ada.client.rooms.delete(space.id, stage), 'unknown_room'],
    [hall, () => ada.client.members.kick(space.id, ben.id), 'not_a_member'],
  ]
  for (const [room_id, lose, code] of losses) {
    const held = await holdLock(server, spaceRow())
    const lost = lose()
    await held.waitForBlocked(1)
    const asked = askVoice(client, { room_id })
    await held.waitForBlocked(2)
    await held.release()
    await lost
    assert.equal(await asked, code)
  }
  assert.deepEqual(await statesOf(ben), [])
})

test('VOICE-14: a session that ends while it is moved ends in its new room', async () => {
  const client = await open()
  const session = await joinVoice(client, { room_id: space.lounge })
  await together<unknown>(voiceOf(ben.id), 2, () => [
    ada.call('PATCH', `/api/spaces/${space.id}/members/${ben.id}/voice`, { room_id: stage }),
    endSessions(server.deps, [session], 'session_ended'),
  ])
  assert.deepEqual(await statesOf(ben), [])
  const ends = [await told(), await told(topicOf.room(space.id, stage))].map(
    (events) => events.at(-1)?.[1] ?? false,
  )
  assert.deepEqual(ends, [false, false])
})

test('VOICE-12: no state is left if the media cannot begin', async () => {
  const socket = createSocket('udp4').bind(0)
  await once(socket, 'listening')
  const { voice } = server.deps.config
  const lame = await startTestServer({ voice: { ...voice, port: socket.address().port } })
  const owner = await createPerson(lame, 'owner')
  const { id, lounge } = await makeSpace(owner)
  const client = await connect(lame, owner)
  assert.equal(await askVoice(client, { room_id: lounge }), 'voice_unavailable')
  assert.deepEqual(await statesInReady(lame, owner), [])
  const journal = await listJournal(lame, topicOf.room(id, lounge))
  assert.equal(Object(journal.at(-1)?.data).room_id, null)
  client.close()
  socket.close()
  await lame.close()
})
