import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import { ALL_PERMISSIONS, OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import type { Person } from '#test/scenes/people.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import { insertOverwrite, listJournal, setEveryone } from '#test/scenes/space-rows.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { endAllVoice, joinVoice, signalsOf, statesInReady } from '#test/voice/voice.ts'

let server: TestServer
let people: RankedPeople
let space: TestSpace
let stage: string
const clients: GatewayClient[] = []

before(async () => {
  server = await startOwnServer()
  people = await createRankedPeople(server)
})
after(() => server.close())
beforeEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await endAllVoice(server)
  space = await makeRankedSpace(server, people, Permission.Administrator)
  const room = await people.owner.client.rooms.create(space.id, { name: 'stage', type: RoomType.Voice })
  stage = room.id
})

async function enter(person: Person, roomId = space.lounge): Promise<[GatewayClient, string]> {
  const client = await connect(server, person)
  clients.push(client)
  return [client, await joinVoice(client, { room_id: roomId, session_id: null })]
}

async function change(caller: Person, target: string, body: unknown): Promise<unknown> {
  const answer = await caller.call('PATCH', `/api/spaces/${space.id}/members/${target}/voice`, body)
  return answer.code ?? answer.body
}

async function told(roomId = space.lounge): Promise<unknown[]> {
  const journal = await listJournal(server, topicOf.room(space.id, roomId))
  return journal
    .filter(({ name }) => name === 'VOICE_STATE_UPDATE')
    .map(({ data }) => Object(data))
    .map(({ user_id, room_id, mute, deaf }) => [user_id, room_id, mute, deaf])
}

/** The reason its client got for the end of the session. */
function endsOf(client: GatewayClient, sessionId: string): string[] {
  return signalsOf(client, 'end')
    .filter(({ session_id }) => session_id === sessionId)
    .map(({ reason }) => reason)
}

test('VOICE-13: administrators mute and deafen members below them, until it is undone', async () => {
  const { actor, bot, below } = people
  const at = { user_id: below.id, room_id: null }
  assert.deepEqual(await change(actor, below.id, { mute: true }), { ...at, mute: true, deaf: false })
  assert.deepEqual(await told(), [])
  const [client] = await enter(below)
  assert.deepEqual(await change(bot, below.id, { deaf: true }), {
    user_id: below.id,
    room_id: space.lounge,
    mute: true,
    deaf: true,
  })
  assert.deepEqual(await change(bot, below.id, { deaf: true, mute: true }), {
    user_id: below.id,
    room_id: space.lounge,
    mute: true,
    deaf: true,
  })
  assert.deepEqual(await told(), [
    [below.id, space.lounge, true, false],
    [below.id, space.lounge, true, true],
  ])
  await joinVoice(client, { room_id: stage })
  assert.deepEqual(await told(stage), [[below.id, stage, true, true]])
  assert.deepEqual(await change(actor, below.id, { mute: false, deaf: false }), {
    user_id: below.id,
    room_id: stage,
    mute: false,
    deaf: false,
  })
  assert.deepEqual(await change(actor, below.id, {}), {
    user_id: below.id,
    room_id: stage,
    mute: false,
    deaf: false,
  })
  const [state] = (await statesInReady(server, actor)).filter(({ user_id }) => user_id === below.id)
  assert.deepEqual([state?.mute, state?.deaf], [false, false])
})

test('VOICE-13: it ends with the membership, and applies to this space only', async () => {
  const { owner, below } = people
  await change(owner, below.id, { mute: true, deaf: true })
  const other = await makeSpace(owner, [below])
  const [client] = await enter(below, other.lounge)
  const journal = await listJournal(server, topicOf.room(other.id, other.lounge))
  assert.deepEqual([Object(journal[0]?.data).mute, Object(journal[0]?.data).deaf], [false, false])
  assert.deepEqual(await change(owner, below.id, {}), {
    user_id: below.id,
    mute: true,
    deaf: true,
    room_id: null,
  })
  await below.client.members.leave(space.id)
  await join(below, owner, space)
  await joinVoice(client, { room_id: space.lounge })
  assert.deepEqual((await told()).at(-1), [below.id, space.lounge, false, false])
})

test('VOICE-13: nobody can do it to themselves, the owner or a member who is not below them', async () => {
  const { owner, above, actor, equal, bot, below, outsider } = people
  const refused = [
    [actor, [owner, above, equal, bot, actor]],
    [bot, [owner, above, actor, bot]],
    [owner, [owner]],
  ] as const
  for (const [caller, targets] of refused)
    for (const { id } of targets) assert.equal(await change(caller, id, { mute: true }), 'member_not_below')
  for (const id of [outsider.id, newId()])
    assert.equal(await change(actor, id, { mute: true }), 'unknown_member')
  await setEveryone(server, space.id, ALL_PERMISSIONS & ~Permission.Administrator)
  for (const id of [owner.id, below.id, outsider.id, newId()]) {
    assert.equal(await change(above, id, { mute: true }), 'missing_permission')
    assert.equal(await change(outsider, id, { mute: true }), 'not_a_member')
  }
  assert.equal(await change(owner, 'everybody', { mute: true }), 'invalid_request')
})

test('VOICE-13 and VOICE-14: an invalid body is refused, and changes nothing', async () => {
  const { owner, below } = people
  await enter(below)
  const wrong = [
    null,
    [],
    'mute',
    { mute: null },
    { mute: 1 },
    { deaf: 'true' },
    { room_id: 5 },
    { room_id: 'stage' },
    '{"mute":',
  ]
  for (const body of wrong)
    assert.match(String(await change(owner, below.id, body)), /^invalid_(request|json)$/)
  assert.equal((await told()).length, 1)
})

test('VOICE-14: a moved user keeps the session and gets a new grant, and both rooms are notified', async () => {
  const { actor, below } = people
  const [client, session] = await enter(below)
  const moved = { user_id: below.id, room_id: stage, mute: true, deaf: false }
  assert.deepEqual(await change(actor, below.id, { room_id: stage, mute: true }), moved)
  await client.find(() => signalsOf(client, 'grant').length === 2, 'a second grant')
  assert.deepEqual(
    signalsOf(client, 'grant').map(({ session_id }) => session_id),
    [session, session],
  )
  assert.deepEqual(endsOf(client, session), [])
  assert.deepEqual((await told()).at(-1), [below.id, null, false, false])
  assert.deepEqual(await told(stage), [[below.id, stage, true, false]])
  const [state] = (await statesInReady(server, actor)).filter(({ user_id }) => user_id === below.id)
  assert.deepEqual([state?.room_id, state?.session_id], [stage, session])
  assert.deepEqual(await change(actor, below.id, { room_id: stage }), moved)
  assert.equal((await told(stage)).length, 1)
})

test('VOICE-14: a disconnected user is notified, and has left', async () => {
  const { actor, below } = people
  const [client, session] = await enter(below)
  const gone = { user_id: below.id, room_id: null, mute: false, deaf: true }
  assert.deepEqual(await change(actor, below.id, { room_id: null, deaf: true }), gone)
  await client.find(() => endsOf(client, session).length > 0, 'the end')
  assert.deepEqual(endsOf(client, session), ['disconnected'])
  assert.deepEqual((await told()).at(-1), [below.id, null, false, true])
  for (const roomId of [null, stage])
    assert.equal(await change(actor, below.id, { room_id: roomId }), 'not_in_voice')
})

test('VOICE-14: a member cannot be moved where they may not join, to a room without voice, or out of another space', async (t) => {
  const { owner, actor, below } = people
  const other = await makeSpace(owner, [below])
  const { id: closed } = await owner.client.rooms.create(space.id, { name: 'closed', type: RoomType.Voice })
  const deny = { room_id: closed, target_id: space.id, target_type: OverwriteTarget.Role, allow_flags: 0 }
  await insertOverwrite(server, space.id, { ...deny, deny_flags: Permission.JoinVoice })
  const [client] = await enter(below)
  const refused = [
    [closed, 'missing_permission'],
    [space.general, 'not_a_voice_room'],
    [other.lounge, 'unknown_room'],
    [newId(), 'unknown_room'],
  ] as const
  for (const [room_id, code] of refused)
    assert.equal(await change(actor, below.id, { room_id, mute: true }), code)
  const { voice } = server.deps.config
  t.after(() => Object.assign(voice, { roomLimit: 100 }))
  await enter(owner, stage)
  Object.assign(voice, { roomLimit: 1 })
  assert.equal(await change(actor, below.id, { room_id: stage, mute: true }), 'voice_room_full')
  // Other changes of a refused request are not applied either.
  assert.deepEqual(await told(), [[below.id, space.lounge, false, false]])
  Object.assign(voice, { roomLimit: 100 })
  await joinVoice(client, { room_id: other.lounge })
  assert.equal(await change(actor, below.id, { room_id: stage }), 'not_in_voice')
})

test('CAPABILITY-11: MoveMembers moves and disconnects members below, and silences nobody', async () => {
  const { owner, above, actor, bot, below } = people
  space = await makeRankedSpace(server, people, 0, Capability.MoveMembers)
  const room = await owner.client.rooms.create(space.id, { name: 'stage', type: RoomType.Voice })
  for (const caller of [actor, bot]) {
    const [client, id] = await enter(below)
    assert.equal(Object(await change(caller, below.id, { room_id: room.id })).room_id, room.id)
    for (const body of [{ mute: true }, { deaf: true }, { mute: false, room_id: null }])
      assert.equal(await change(caller, below.id, body), 'missing_permission')
    assert.equal(Object(await change(caller, below.id, { room_id: null })).room_id, null)
    assert.deepEqual(endsOf(client, id), ['disconnected'])
  }
  await enter(above)
  assert.equal(await change(actor, above.id, { room_id: null }), 'member_not_below')
  assert.equal(await change(below, above.id, { room_id: null }), 'missing_permission')
})

test('CAPABILITY-11: a member in a room that the caller does not see is in none for them', async () => {
  const { owner, actor, below } = people
  space = await makeRankedSpace(server, people, 0, Capability.MoveMembers)
  const room = await owner.client.rooms.create(space.id, { name: 'stage', type: RoomType.Voice })
  await owner.client.overwrites.upsert(space.id, space.lounge, {
    target_id: actor.id,
    target_type: OverwriteTarget.Member,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  const [client, id] = await enter(below)
  assert.equal(Object(await change(actor, below.id, {})).room_id, null)
  assert.equal(await change(actor, below.id, { room_id: room.id }), 'not_in_voice')
  await change(actor, below.id, { room_id: null })
  assert.deepEqual(endsOf(client, id), [])
  assert.equal(Object(await change(owner, below.id, {})).room_id, space.lounge)
})
