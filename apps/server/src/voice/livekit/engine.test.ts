import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { TokenVerifier } from 'livekit-server-sdk'
import pino from 'pino'
import { until } from '#test/until.ts'
import { FakeLiveKit } from '#test/voice/fake-livekit.ts'
import {
  type EngineWorld,
  FULL_RIGHTS,
  newSession,
  openLiveKit,
  recordEvents,
} from '#test/voice/voice-engines.ts'
import { NO_RIGHTS } from '../engine.ts'
import { LiveKitEngine } from './engine.ts'

const LISTENER = { ...NO_RIGHTS, canHear: true }

/** Without webhooks, and asked often. */
let world: EngineWorld & { liveKit: FakeLiveKit }
before(async () => {
  world = await openLiveKit({ webhooks: false, lookMs: 50, arrivalMs: 500 })
})
after(() => world.close())

test('ENGINE-14: a token admits one session to one room, within a minute, and allows only a microphone', async () => {
  const { apiKey, apiSecret, url } = world.liveKit.settings
  const session = newSession()
  const grant = await world.engine.join(session, FULL_RIGHTS)
  assert.ok(grant.driver === 'livekit')
  assert.equal(grant.url, url)
  const { sub, exp = 0, nbf = 0, video } = await new TokenVerifier(apiKey, apiSecret).verify(grant.token)
  assert.equal(sub, session.id)
  assert.equal(exp - nbf, 60)
  assert.deepEqual(video, {
    roomJoin: true,
    room: session.place.channelId,
    canPublish: true,
    canPublishSources: ['microphone', 'camera', 'screen_share', 'screen_share_audio'],
    canSubscribe: true,
    canPublishData: false,
  })
  await world.engine.kick(session.id, 'left')
})

test('ENGINE-14: LiveKit mutes a user who loses the right to speak', async () => {
  const anna = await world.enter(newSession())
  const participant = world.liveKit.participants.get(anna.session.id)
  await world.engine.setRights(anna.session.id, LISTENER)
  assert.equal(participant?.track?.muted, true)
  assert.deepEqual(participant?.permission, { canSubscribe: true })
})

test('ENGINE-14: who deafens themselves keeps the pictures, and who is deafened by the space receives nothing', async () => {
  const anna = await world.enter(newSession())
  const participant = world.liveKit.participants.get(anna.session.id)
  await world.engine.setRights(anna.session.id, { ...FULL_RIGHTS, canHear: false, isSelfDeaf: true })
  assert.equal(participant?.permission.canSubscribe, true)
  await world.engine.setRights(anna.session.id, { ...FULL_RIGHTS, canHear: false })
  assert.notEqual(participant?.permission.canSubscribe, true)
})

test('ENGINE-14: of two changes, the later one counts, even if LiveKit takes long for the earlier one', async () => {
  const anna = await world.enter(newSession())
  const participant = world.liveKit.participants.get(anna.session.id)
  const updates = () =>
    world.liveKit.requests.filter((request) => request.includes('UpdateParticipant')).length
  const before = updates()
  const release = world.liveKit.holdUpdate()
  const earlier = world.engine.setRights(anna.session.id, { ...FULL_RIGHTS, canUseVideo: false })
  await until(async () => updates() > before, 'the earlier change arrives')
  const later = world.engine.setRights(anna.session.id, NO_RIGHTS)
  await Promise.race([later, delay(200)])
  release()
  await Promise.all([earlier, later])
  assert.equal(participant?.permission.canSubscribe, undefined)
})

test('ENGINE-15: users who joined and left are found without a webhook, by asking', async () => {
  const told = recordEvents(world.engine)
  const anna = await world.enter(newSession())
  await until(async () => told.joined.length > 0, 'it finds who came')
  await anna.leave()
  await until(async () => told.left.length > 0, 'it finds who left')
  const { id: sessionId } = anna.session
  assert.deepEqual([told.joined, told.left], [[{ sessionId }], [{ sessionId, reason: 'left' }]])
})

test('ENGINE-15: an admitted user who never connects is reported', async () => {
  const told = recordEvents(world.engine)
  const session = newSession()
  await world.engine.join(session, FULL_RIGHTS)
  await until(async () => told.left.length > 0, 'it does not wait for ever')
  assert.deepEqual(told.left, [{ sessionId: session.id, reason: 'unreachable' }])
})

test('ENGINE-15: a user with the token of an ended session is removed, even from an empty room', async () => {
  const session = newSession()
  const grant = await world.engine.join(session, FULL_RIGHTS)
  await world.engine.kick(session.id, 'disconnected')
  await (await world.connect(session, grant)).isOut()
})

test('ENGINE-15: a user moved to another room is removed from the first, and stays in the second', async () => {
  const told = recordEvents(world.engine)
  const session = newSession()
  const grant = await world.engine.join(session, FULL_RIGHTS)
  await world.engine.kick(session.id, 'moved')
  const moved = { ...session, place: newSession().place }
  await world.engine.join(moved, FULL_RIGHTS)
  await (await world.connect(session, grant)).isOut()
  assert.deepEqual(told.joined, [], 'who came to the old room is not yet where they are to be')
  await world.engine.kick(session.id, 'left')
})

test('ENGINE-15: permissions that could not be set in LiveKit are set again later', async () => {
  const place = randomUUID()
  const [anna, ben] = [await world.enter(newSession(place)), await world.enter(newSession(place))]
  const { rooms } = world.liveKit
  world.liveKit.isAway = true
  await world.engine.setRights(anna.session.id, LISTENER)
  await ben.hears(anna)
  world.liveKit.isAway = false
  await ben.hears()
  assert.ok(rooms.has(place))
})

test('ENGINE-16: voice is unavailable if LiveKit is down or has another secret', async () => {
  const liveKit = await FakeLiveKit.start()
  const log = pino({ level: 'silent' })
  const settings = { ...liveKit.settings, apiSecret: 'another' }
  const stranger = new LiveKitEngine({ livekit: settings, log })
  await assert.rejects(stranger.join(newSession(), FULL_RIGHTS), { code: 'voice_unavailable' })
  const engine = new LiveKitEngine({ livekit: liveKit.settings, log })
  await engine.join(newSession(), FULL_RIGHTS)
  await liveKit.close()
  await assert.rejects(engine.join(newSession(), FULL_RIGHTS), { code: 'voice_unavailable' })
  await Promise.all([stranger.drain(), engine.drain()])
})
