import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { VoiceStatus } from '@foyer/sdk/voice/status'
import type { VoiceStream } from '@foyer/sdk/voice/stream'
import { Voice } from '@foyer/sdk/voice/voice'
import wrtc from '@roamhq/wrtc'
import { connect, type GatewayClient } from '#test/gateway-client.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type Talker, talk } from '#test/voice/talkers.ts'
import { ToneDetector, ToneSource } from '#test/voice/voice-peer.ts'

/** More than a heartbeat and a half. */
const LONG_MS = 120_000
const [BENS_TONE, ADAS_TONE] = [440, 1000]

let server: TestServer
let ada: Person
let ben: Person
let space: TestSpace
let voice: Voice
let streams: readonly VoiceStream[] = []
let bens: GatewayClient
let talker: Talker
const mouth = new ToneSource(ADAS_TONE)

/** One story: each test goes on where the one before ended. Ben talks all the time; Ada is there by the SDK. */
before(async () => {
  server = await startOwnServer()
  ada = await createPerson(server, 'ada')
  ben = await createPerson(server, 'ben')
  space = await makeSpace(ben, [ada])
  bens = await connect(server, ben)
  talker = await talk(bens, { room_id: space.lounge }, BENS_TONE)
  const { gateway } = ada.client
  const openPeer = (configuration: RTCConfiguration) => new wrtc.RTCPeerConnection(configuration)
  voice = new Voice({ gateway, openPeer })
  voice.onStreams((heard) => {
    streams = heard
  })
  gateway.connect()
})
after(async () => {
  voice.close()
  ada.client.gateway.close()
  mouth.close()
  talker.close()
  bens.close()
  await server.close()
})

const lounge = () => ({ room_id: space.lounge })

function reaches(fits: (status: VoiceStatus) => boolean): Promise<void> {
  return until(async () => fits(voice.status), 'the status of voice')
}

/** Waits until she hears only him, under his name. */
async function adaHearsBen(): Promise<void> {
  await until(async () => streams.length === 1, 'somebody is heard')
  const [stream] = streams
  assert.ok(stream)
  assert.equal(stream.user_id, ben.id)
  const ear = new ToneDetector(stream.track)
  await until(async () => Math.abs((ear.tone() ?? 0) - BENS_TONE) < 60, 'she hears his tone')
  ear.close()
}

test('VOICE-1: a user of the SDK joins, hears and is heard, and knows who speaks', async () => {
  await voice.setMicrophone(mouth.track)
  await voice.join(lounge())
  assert.equal(voice.status.place?.space_id, space.id)
  await Promise.all([adaHearsBen(), talker.peer.hears(ADAS_TONE)])
  await reaches(({ speaking }) => speaking.has(ada.id) && speaking.has(ben.id))
  await until(async () => (await voice.quality())?.jitterMs !== undefined, 'how good it is')
})

test('VOICE-4: a muted user is silent, and heard again without a new offer', async () => {
  const { sessionId } = voice.status
  voice.setSelf({ mute: true })
  await talker.peer.hears()
  voice.setSelf({ mute: false })
  await talker.peer.hears(ADAS_TONE)
  assert.equal(voice.status.sessionId, sessionId)
})

test('an interruption of the gateway changes nothing, and the client asks for the slots again', async () => {
  const { sessionId } = voice.status
  streams = []
  const again = new Promise<void>((resolve) => {
    const stop = ada.client.gateway.on('RESUMED', () => resolve(void stop()))
  })
  server.deps.gateway.sweep({ monotonicMs: performance.now() + LONG_MS })
  await again
  await adaHearsBen()
  assert.equal(voice.status.sessionId, sessionId)
})

test('the client moves to another network at once', async () => {
  const { sessionId } = voice.status
  voice.reconnectNow()
  await reaches((status) => status.phase === 'connected' && status.sessionId !== sessionId)
  await Promise.all([adaHearsBen(), talker.peer.hears(ADAS_TONE)])
})

test('VOICE-14: a user disconnected by the owner stays out', async () => {
  await ben.client.members.updateVoice(space.id, ada.id, { room_id: null })
  await reaches(({ phase }) => phase === 'failed')
  assert.equal(voice.status.reason, 'kicked')
  await talker.peer.hears()
  assert.deepEqual(streams, [])
})

test('VOICE-3: a user who joins on another device is only there', async () => {
  await voice.join(lounge())
  const phone = await connect(server, ada)
  const other = await talk(phone, lounge(), 700)
  await reaches(({ phase }) => phase === 'failed')
  assert.equal(voice.status.reason, 'taken_over')
  await talker.peer.hears(700)
  other.close()
  phone.close()
})
