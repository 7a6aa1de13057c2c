import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { UpdateVoiceState, VoiceState } from '@foyer/protocol/voice'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { connect, type GatewayClient, identify } from '#test/gateway-client.ts'
import { makeDirect, makeGroup } from '#test/scenes/conversations.ts'
import { type Bot, createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite, listJournal, setEveryone } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { askVoice, changeVoice, endAllVoice, joinVoice, signalsOf, statesInReady } from '#test/voice/voice.ts'

const { JoinVoice, SpeakInVoice } = Permission

let server: TestServer
let ada: Person
let ben: Person
let eve: Person
let bot: Bot
let space: TestSpace
let client: GatewayClient

before(async () => {
  server = await startOwnServer()
  ada = await createPerson(server, 'ada')
  ben = await createPerson(server, 'ben')
  eve = await createPerson(server, 'eve')
  bot = await createApplicationBot(server, ada, { name: 'helper' })
})
after(() => server.close())
beforeEach(async () => {
  client?.close()
  await endAllVoice(server)
  space = await makeSpace(ada, [ben])
  client = await connect(server, ben)
})

const lounge = (): UpdateVoiceState => ({ room_id: space.lounge })

/** Users received as joining or leaving a room, with their sessions. */
async function told(roomId = space.lounge): Promise<[string, string, boolean][]> {
  const journal = await listJournal(server, topicOf.room(space.id, roomId))
  const states = journal.filter(({ name }) => name === 'VOICE_STATE_UPDATE').map(({ data }) => Object(data))
  return states.map((state) => [state.user_id, state.session_id, state.room_id === roomId])
}

/** The state of a user in Ada's READY. */
async function stateOf({ id }: { id: string }): Promise<VoiceState | undefined> {
  const states = await statesInReady(server, ada)
  return states.find(({ user_id }) => user_id === id)
}

/** The user's session there, in Ada's READY. */
async function sessionIn(place: string, person: { id: string } = ben): Promise<string | undefined> {
  const state = await stateOf(person)
  return place === (state?.room_id ?? state?.conversation_id) ? state?.session_id : undefined
}

test('VOICE-1, VOICE-5 and VOICE-8: joining is published with the flags, and so is leaving', async () => {
  const hers = await connect(server, ada)
  const session = await joinVoice(client, { ...lounge(), space_id: space.id, self_deaf: true })
  const { d, s } = await hers.findEvent('VOICE_STATE_UPDATE')
  const { joined_at, ...state } = Object(d)
  const flags = { self_mute: false, self_deaf: true, self_video: false, self_stream: false }
  const place = { space_id: space.id, room_id: space.lounge, conversation_id: null }
  const expected = { user_id: ben.id, session_id: session, ...place, ...flags, mute: false, deaf: false }
  assert.deepEqual(state, expected)
  assert.ok(Math.abs(Date.parse(joined_at) - Date.now()) < 60_000)
  assert.equal(typeof s, 'string')
  assert.deepEqual(await stateOf(ben), { ...expected, joined_at })
  const [grant] = signalsOf(client, 'grant')
  assert.deepEqual(grant?.grant, {
    driver: 'slots',
    ice_servers: [],
    slots: 8,
    video: { slots: 10, sounds: 2 },
  })
  await changeVoice(client, { room_id: null, conversation_id: null })
  assert.deepEqual(await told(), [
    [ben.id, session, true],
    [ben.id, session, false],
  ])
  assert.deepEqual(signalsOf(client, 'end'), [{ kind: 'end', session_id: session, reason: 'left' }])
  assert.equal(await stateOf(ben), undefined)
  await changeVoice(client, {})
  assert.equal((await told()).length, 2)
  hers.close()
})

test('VOICE-2: joining requires a voice room, ViewChannels and JoinVoice, and a refusal changes nothing', async () => {
  const foreign = await makeSpace(ada)
  const category = space.rooms.find(({ type }) => type === RoomType.Category)?.id ?? ''
  const { id: stage } = await ada.client.rooms.create(space.id, { name: 'stage', type: RoomType.Voice })
  const session = await joinVoice(client, { room_id: stage })
  const refused: [UpdateVoiceState, string][] = [
    [{ room_id: space.general }, 'not_a_voice_room'],
    [{ room_id: category }, 'not_a_voice_room'],
    [{ room_id: newId() }, 'unknown_room'],
    [{ room_id: foreign.lounge }, 'not_a_member'],
    [{ room_id: space.lounge, space_id: foreign.id }, 'unknown_room'],
    [{ room_id: space.lounge, conversation_id: newId() }, 'invalid_request'],
    [{ space_id: space.id, conversation_id: newId() }, 'invalid_request'],
    [{ conversation_id: newId() }, 'unknown_conversation'],
  ]
  for (const [wanted, code] of refused) assert.equal(await askVoice(client, wanted), code)
  const subject = { room_id: space.lounge, target_id: space.id, target_type: 0, allow_flags: 0 }
  await insertOverwrite(server, space.id, { ...subject, deny_flags: JoinVoice })
  assert.equal(await askVoice(client, lounge()), 'missing_permission')
  assert.equal(await sessionIn(stage), session)
  await ada.client.rooms.delete(space.id, space.lounge)
  const late = await connect(server, ben)
  assert.equal(await askVoice(late, lounge()), 'unknown_room')
  await setEveryone(server, space.id, JoinVoice | SpeakInVoice)
  assert.equal(await askVoice(late, { room_id: stage }), 'missing_permission')
  late.close()
})

test('VOICE-2: invalid data is refused with the nonce', async () => {
  const wrong = [
    { room_id: 5 },
    { room_id: 'lounge' },
    { room_id: { $ne: null } },
    { conversation_id: [] },
    { ...lounge(), self_mute: 'true' },
    { ...lounge(), self_deaf: null },
    { ...lounge(), session_id: 'mine' },
    { ...lounge(), space_id: '' },
  ]
  for (const data of wrong) assert.equal(await askVoice(client, data), 'invalid_request')
  const other = await connect(server, ben)
  for (const data of [null, 5, 'join', []]) other.send(4, data)
  other.send(4, { ...lounge(), nonce: 'n'.repeat(65) })
  await other.settle()
  assert.equal(other.frames.filter(({ op }) => op === 12).length, 5)
  other.close()
  assert.deepEqual(await told(), [])
})

test('VOICE-2: joining a conversation requires being in it, without a block between two; bots join like people', async () => {
  const { id: group } = await makeGroup(server, ada, [ben, eve])
  const { id: direct } = await makeDirect(server, ada, ben)
  const session = await joinVoice(client, { conversation_id: group, self_mute: true })
  assert.equal(await sessionIn(group), session)
  const state = await stateOf(ben)
  assert.deepEqual([state?.space_id, state?.room_id, state?.self_mute], [null, null, true])
  await ada.client.friends.block(ben.id)
  assert.equal(await askVoice(client, { conversation_id: direct }), 'blocked_conversation')
  await ada.client.friends.unblock(ben.id)
  await ada.client.members.addBot(space.id, bot.id)
  const robot = await identify(server, { token: `Bot ${bot.token}` })
  assert.equal(await askVoice(robot, { conversation_id: group }), 'unknown_conversation')
  const its = await joinVoice(robot, lounge())
  assert.deepEqual(await told(), [[bot.id, its, true]])
  robot.close()
})

test('VOICE-4: naming the same room again changes only the flags, and no change publishes nothing', async () => {
  const session = await joinVoice(client, lounge())
  const flags = [
    { self_mute: true },
    { self_mute: true },
    { self_deaf: true, self_video: true, self_stream: true },
  ]
  for (const flag of flags) await changeVoice(client, { ...lounge(), ...flag })
  assert.equal(await askVoice(client, { ...lounge(), session_id: newId() }), 'unknown_voice_session')
  assert.deepEqual(
    (await told()).map(([, id]) => id),
    [session, session, session],
  )
  const state = await stateOf(ben)
  assert.deepEqual(
    [state?.self_mute, state?.self_deaf, state?.self_video, state?.self_stream],
    [false, true, true, true],
  )
  assert.equal(signalsOf(client, 'grant').length, 1)
})

test('VOICE-4: a client that resumed names its session, and null joins again from there', async () => {
  const session = await joinVoice(client, lounge())
  const back = await connect(server, ben)
  await changeVoice(back, { ...lounge(), self_mute: true, session_id: session })
  assert.equal(await sessionIn(space.lounge), session)
  const before = await stateOf(ben)
  const next = await joinVoice(back, { ...lounge(), session_id: null })
  assert.notEqual(next, session)
  const after = await stateOf(ben)
  assert.deepEqual([after?.session_id, after?.joined_at], [next, before?.joined_at])
  // Neither the one nor the other has a word in it any more.
  assert.equal(await askVoice(client, { ...lounge(), session_id: session }), 'unknown_voice_session')
  await changeVoice(client, { session_id: session })
  assert.equal(await sessionIn(space.lounge), next)
  assert.deepEqual(
    (await told()).map(([, id, isHere]) => [id, isHere]),
    [
      [session, true],
      [session, true],
      [next, true],
    ],
  )
  back.close()
})

test('VOICE-6: a room takes up to the limit, also at once, and users in it may join again', async (t) => {
  const { voice } = server.deps.config
  t.after(() => Object.assign(voice, { roomLimit: 100 }))
  Object.assign(voice, { roomLimit: 1 })
  const hers = await connect(server, ada)
  const answers = await Promise.all([askVoice(client, lounge()), askVoice(hers, lounge())])
  assert.deepEqual(answers.filter((answer) => answer === 'voice_room_full').length, 1)
  const [inside, outside] = typeof answers[0] === 'object' ? [client, hers] : [hers, client]
  await joinVoice(inside, { ...lounge(), session_id: null })
  assert.equal(await askVoice(outside, lounge()), 'voice_room_full')
  await changeVoice(inside, {})
  await joinVoice(outside, lounge())
  const states = await statesInReady(server, ada)
  assert.equal(states.filter(({ room_id }) => room_id === space.lounge).length, 1)
  hers.close()
})

test('VOICE-10: an offer is accepted only for a session of the same login', async () => {
  const session = await joinVoice(client, lounge())
  const offer = (sdp: string, session_id = session) => ({ kind: 'offer', session_id, sdp })
  const others = [await connect(server, ada), await connect(server, ben)]
  for (const other of others) assert.equal(await askVoice(other, offer('v=0'), 5), 'unknown_voice_session')
  for (const sdp of ['', 'v=0', 'hello', 'v=0\r\n'.repeat(5000)])
    assert.equal(await askVoice(client, offer(sdp), 5), 'invalid_offer')
  const wrong = [{ kind: 'answer' }, { sdp: 5 }, { session_id: 'mine' }, { sdp: 'x'.repeat(64 * 1024 + 1) }]
  for (const change of wrong)
    assert.equal(await askVoice(client, { ...offer('v=0'), ...change }, 5), 'invalid_request')
  await changeVoice(client, {})
  assert.equal(await askVoice(client, offer('v=0'), 5), 'unknown_voice_session')
  for (const other of others) other.close()
})

test('VOICE-11: the eleventh op 4 or op 5 within ten seconds is refused, and the others keep their order', async () => {
  const offer = { kind: 'offer', session_id: newId(), sdp: 'v=0' }
  for (const turn of [1, 2, 3, 4, 5]) {
    client.send(4, lounge())
    client.send(4, { ...lounge(), self_mute: turn % 2 === 1 })
  }
  assert.equal(await askVoice(client, {}), 'rate_limited')
  // The session that the test before may have left is over with the first.
  const here = () => client.heard('VOICE_STATE_UPDATE').filter(({ d }) => Object(d).room_id === space.lounge)
  const muted = () => here().map(({ d }) => Object(d).self_mute)
  await client.find(() => muted().length === 6, 'every change')
  assert.deepEqual(muted(), [false, true, false, true, false, true])
  const offers = Array.from({ length: 11 }, () => askVoice(client, offer, 5))
  const codes = await Promise.all(offers)
  assert.deepEqual(codes.toSorted(), [
    'rate_limited',
    ...Array.from({ length: 10 }, () => 'unknown_voice_session'),
  ])
})
