import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Capability, DEFAULT_CAPABILITIES } from '@foyer/protocol/capabilities'
import { Opcode } from '@foyer/protocol/gateway'
import { OverwriteTarget } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { UpdateVoiceState } from '@foyer/protocol/voice'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { makeDirect } from '#test/scenes/conversations.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { askVoice, changeVoice, endAllVoice, joinVoice, statesInReady } from '#test/voice/voice.ts'

let server: TestServer
let ada: Person
let ben: Person
let guests: Person[]
let space: TestSpace
let client: GatewayClient
let session: string

before(async () => {
  server = await startOwnServer()
  ada = await createPerson(server, 'ada')
  ben = await createPerson(server, 'ben')
  guests = []
  for (const name of ['cleo', 'dan', 'emil', 'finn', 'greta']) guests.push(await createPerson(server, name))
})
after(() => server.close())
beforeEach(async () => {
  client?.close()
  await endAllVoice(server)
  space = await makeSpace(ada, [ben, ...guests])
  client = await connect(server, ben)
  session = await joinVoice(client, lounge())
})

const lounge = (): UpdateVoiceState => ({ room_id: space.lounge })
const camera = (): UpdateVoiceState => ({ ...lounge(), session_id: session, self_video: true })
const screen = (): UpdateVoiceState => ({ ...lounge(), session_id: session, self_stream: true })

/** Returns whether Ben's camera and screen are live, as Ada's READY says. */
async function live(): Promise<(boolean | undefined)[]> {
  const states = await statesInReady(server, ada)
  const state = states.find(({ user_id }) => user_id === ben.id)
  return [state?.self_video, state?.self_stream]
}

const allow = (capabilities: number) =>
  ada.client.roles.update(space.id, space.id, { capabilities: DEFAULT_CAPABILITIES & capabilities })

/** Waits until the flags of Ben's state have fallen, and his client has been told of it. */
async function hasFallen(): Promise<void> {
  await until(async () => String(await live()) === 'false,false', 'the flags fall')
  const last = () => Object(client.heard('VOICE_STATE_UPDATE').at(-1)?.d)
  await until(
    async () => last().user_id === ben.id && !last().self_video && !last().self_stream,
    'ben is told',
  )
}

test('VIDEO-5: a camera needs UseVideo and a screen ShareScreen, also when joining', async () => {
  await allow(~Capability.UseVideo)
  assert.equal(await askVoice(client, camera()), 'missing_permission')
  assert.equal(
    await askVoice(client, { ...lounge(), session_id: null, self_video: true }),
    'missing_permission',
  )
  assert.deepEqual(await live(), [false, false])
  await changeVoice(client, screen())
  assert.deepEqual(await live(), [false, true])
  await allow(~Capability.ShareScreen)
  await hasFallen()
  assert.equal(await askVoice(client, screen()), 'missing_permission')
  await changeVoice(client, camera())
  assert.deepEqual(await live(), [true, false])
})

test('VIDEO-5: a timeout and the mute of a moderator take the pictures, and keep others from beginning', async () => {
  await changeVoice(client, { ...camera(), self_stream: true })
  assert.deepEqual(await live(), [true, true])
  await ada.client.members.updateVoice(space.id, ben.id, { mute: true })
  await hasFallen()
  assert.equal(await askVoice(client, camera()), 'missing_permission')
  await ada.client.members.updateVoice(space.id, ben.id, { mute: false })
  await changeVoice(client, camera())
  const end = new Date(Date.now() + 60_000).toISOString()
  await ada.client.members.timeOut(space.id, ben.id, { until: end })
  await hasFallen()
  assert.equal(await askVoice(client, camera()), 'timed_out')
})

test('VIDEO-5: flags that cannot be saved fall as soon as they can', async () => {
  const { database } = server.deps
  await changeVoice(client, camera())
  await database.query(sql`create sequence refusals`)
  await database.query(sql`
    create function refuse() returns trigger language plpgsql as $$
    begin
      perform nextval('refusals');
      raise exception 'refused';
    end $$`)
  await database.query(
    sql`create trigger refused before update on voice_states for each row execute function refuse()`,
  )
  await allow(~Capability.UseVideo)
  const isRefused = async () => {
    const [sequence] = await database.query<{ is_called: boolean }>(sql`select is_called from refusals`)
    return sequence?.is_called === true
  }
  await until(isRefused, 'the database refuses')
  assert.deepEqual(await live(), [true, false])
  await database.query(sql`drop trigger refused on voice_states`)
  await database.query(sql`drop function refuse`)
  await database.query(sql`drop sequence refusals`)
  await hasFallen()
})

test('VIDEO-5: a mute holds also if the camera in the same command is refused', async () => {
  await changeVoice(client, screen())
  await allow(~Capability.UseVideo)
  const wanted = { ...camera(), self_stream: true, self_mute: true }
  assert.equal(await askVoice(client, wanted), 'missing_permission')
  const states = await statesInReady(server, ada)
  const { self_mute, self_video, self_stream } = Object(states.find(({ user_id }) => user_id === ben.id))
  assert.deepEqual(
    { self_mute, self_video, self_stream },
    { self_mute: true, self_video: false, self_stream: true },
  )
})

test('VIDEO-5: who mutes themselves keeps their camera, and calls have both', async () => {
  await changeVoice(client, { ...camera(), self_mute: true, self_deaf: true })
  assert.deepEqual(await live(), [true, false])
  const { id } = await makeDirect(server, ben, ada)
  await joinVoice(client, { conversation_id: id, self_video: true, self_stream: true })
  assert.deepEqual(await live(), [true, true])
})

test('VIDEO-5: who is moved to a room without the permissions shows no pictures there', async () => {
  const cellar = await ada.client.rooms.create(space.id, { name: 'cellar', type: RoomType.Voice })
  await ada.client.overwrites.upsert(space.id, cellar.id, {
    ...{ target_id: space.id, target_type: OverwriteTarget.Role, allow_flags: 0, deny_flags: 0 },
    deny_capabilities: Capability.UseVideo | Capability.ShareScreen,
  })
  await changeVoice(client, { ...camera(), self_stream: true })
  assert.deepEqual(await live(), [true, true])
  await ada.client.members.updateVoice(space.id, ben.id, { room_id: cellar.id })
  await hasFallen()
})

test('VIDEO-10: a room takes four screens, however many begin at once', async () => {
  const clients = await Promise.all(guests.map((guest) => connect(server, guest)))
  const sessions = await Promise.all(clients.map((one) => joinVoice(one, lounge())))
  await Promise.all(
    clients.map((one, at) =>
      changeVoice(one, { ...lounge(), session_id: sessions[at] ?? null, self_stream: true }),
    ),
  )
  const states = await statesInReady(server, ada)
  assert.equal(states.filter(({ self_stream }) => self_stream).length, 4)
  assert.equal(await askVoice(client, screen()), 'screen_limit')
  assert.equal(await askVoice(client, { ...lounge(), session_id: null, self_stream: true }), 'screen_limit')
  await changeVoice(client, camera())
  assert.deepEqual(await live(), [true, false])
  for (const one of clients) one.close()
})

test('VIDEO-10: a room takes 25 cameras', async () => {
  await server.deps.database.query(sql`
    with others as (
      insert into users (id, username)
      select gen_random_uuid(), 'camera' || n from generate_series(1, 25) n returning id
    )
    insert into voice_states
      (user_id, tenant_id, channel_id, session_id, login_id, host_id, self_mute, self_deaf, self_video, self_stream)
    select id, ${space.id}, ${space.lounge}, gen_random_uuid(), id, host_id, false, false, true, false
    from others, voice_states where voice_states.session_id = ${session}`)
  assert.equal(await askVoice(client, camera()), 'camera_limit')
  await changeVoice(client, screen())
  assert.deepEqual(await live(), [false, true])
})

test('VOICE-11: a list of pictures waits for the commands before it', async () => {
  const lock = await holdLock(
    server,
    sql`select pg_advisory_xact_lock(hashtextextended('voice of ' || ${ben.id}, 0))`,
  )
  client.send(Opcode.VoiceStateUpdate, camera())
  await lock.waitForBlocked(1)
  const refused = askVoice(client, { kind: 'watch', session_id: newId(), watched: [] }, Opcode.VoiceSignal)
  const isAnswered = () => client.frames.some(({ op }) => op === Opcode.Error)
  // Both take longer than an answer would.
  assert.deepEqual(await live(), [false, false])
  await client.settle()
  assert.equal(isAnswered(), false)
  await lock.release()
  assert.equal(await refused, 'unknown_voice_session')
  assert.deepEqual(await live(), [true, false])
})

test('VOICE-11: twenty lists of pictures in ten seconds are carried out, beside offers and changes', async () => {
  const watch = { kind: 'watch', session_id: newId(), watched: [] }
  const codes = await Promise.all(
    Array.from({ length: 21 }, () => askVoice(client, watch, Opcode.VoiceSignal)),
  )
  assert.equal(codes.filter((code) => code === 'unknown_voice_session').length, 20)
  assert.equal(codes.at(-1), 'rate_limited')
  const offer = { kind: 'offer', session_id: session, sdp: 'v=0' }
  assert.equal(await askVoice(client, offer, Opcode.VoiceSignal), 'invalid_offer')
  await changeVoice(client, camera())
})

test('VIDEO-3: a list of pictures is accepted only for a session of the same login', async () => {
  const watch = (change: object = {}) => ({
    ...{ kind: 'watch', session_id: session, watched: [{ user_id: ada.id, source: 'camera' }] },
    ...change,
  })
  const error = async (one: GatewayClient, data: object) => {
    const before = one.frames.length
    one.send(5, data)
    const found = () => one.frames.slice(before).find(({ op }) => op === Opcode.Error)
    await one.find(() => found() !== undefined, 'the error')
    return Object(found()?.d).code
  }
  const hers = await connect(server, ada)
  assert.equal(await error(hers, watch()), 'unknown_voice_session')
  const picture = { user_id: ada.id, source: 'camera' }
  const wrong = [
    { watched: null },
    { watched: [null] },
    { watched: [{ ...picture, source: 'window' }] },
    { watched: [{ ...picture, user_id: 'ada' }] },
    { watched: Array.from({ length: 9 }, () => picture) },
    ...[-1, 16_385, 1.5, '360', null].map((height) => ({ watched: [{ ...picture, height }] })),
    { session_id: null },
  ]
  for (const change of wrong) assert.equal(await error(client, watch(change)), 'invalid_request')
  assert.equal(await error(client, watch({ session_id: newId() })), 'unknown_voice_session')
  hers.close()
})
