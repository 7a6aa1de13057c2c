import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { VoiceError } from '@foyer/sdk/voice/status'
import type { VoiceStream } from '@foyer/sdk/voice/stream'
import {
  asked,
  grant,
  makeTrack,
  offered,
  refuse,
  SLOTS,
  signal,
  stateIn,
  VoiceFixture,
} from './voice-fixture.ts'

const HALL = { room_id: 'hall' }

describe('joining voice', () => {
  test('sends an offer with a sending line and one for each slot, and resolves when media flows', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.connect()
    const joined = client.voice.join(HALL, { mute: true })
    const { nonce, ...wanted } = await asked(connection)
    const place = { room_id: 'hall', conversation_id: null }
    assert.deepEqual(wanted, { ...place, self_mute: true, self_deaf: false, session_id: null })
    assert.equal(client.voice.status.phase, 'joining')
    connection.dispatch('VOICE_STATE_UPDATE', stateIn('hall'))
    grant(connection, 'first', nonce)
    assert.deepEqual(await offered(connection), {
      kind: 'offer',
      session_id: 'first',
      sdp: 'offer',
      nonce: 'offer first',
    })
    assert.equal(client.voice.status.phase, 'connecting')
    assert.deepEqual(client.peer.directions, ['sendonly', ...Array(SLOTS).fill('recvonly')])
    signal(connection, { kind: 'answer', session_id: 'first', sdp: 'answer' })
    await client.peer.isAnswered
    client.peer.become('connected')
    await joined
    const { phase, place: there, sessionId } = client.voice.status
    assert.deepEqual(
      { phase, there, sessionId },
      { phase: 'connected', there: { ...place, space_id: 'space' }, sessionId: 'first' },
    )
  })

  test('waits for the gateway', async (t) => {
    const client = await VoiceFixture.start(t)
    const joined = client.voice.join({ conversation_id: 'call' })
    assert.equal(client.voice.status.phase, 'joining')
    const connection = await client.connect()
    await client.letIn(connection, 'first')
    await joined
  })

  for (const [code, reason] of [
    ['voice_room_full', 'full'],
    ['missing_permission', 'permission'],
    ['unknown_room', 'room_deleted'],
    ['not_a_voice_room', 'unavailable'],
  ] as const) {
    test(`that is refused with ${code} fails: ${reason}`, async (t) => {
      const client = await VoiceFixture.start(t)
      const connection = await client.connect()
      const refusal = assert.rejects(client.voice.join(HALL), new VoiceError(reason, code))
      refuse(connection, code, (await asked(connection)).nonce)
      await refusal
      assert.equal(client.voice.status.phase, 'failed')
      assert.equal(client.voice.status.reason, reason)
    })
  }

  test('is retried while the server is temporarily unable, but not forever', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.connect()
    const refusal = assert.rejects(
      client.voice.join(HALL),
      new VoiceError('unavailable', 'voice_unavailable'),
    )
    let attempts = 0
    const isOver = client.reaches('failed').then(() => undefined)
    for (let next = await asked(connection); next !== undefined; ) {
      attempts += 1
      refuse(connection, 'voice_unavailable', next.nonce)
      next = await Promise.race([asked(connection), isOver])
    }
    await refusal
    assert.equal(attempts, 9)
  })

  test('fails twice without media if the network lets none through, and leaves', async (t) => {
    const client = await VoiceFixture.start(t, { mediaTimeoutMs: 40 })
    const connection = await client.connect()
    const refusal = assert.rejects(client.voice.join(HALL), new VoiceError('network'))
    for (const session of ['first', 'second']) grant(connection, session, (await asked(connection)).nonce)
    await refusal
    const { room_id, session_id } = await asked(connection)
    assert.deepEqual({ room_id, session_id }, { room_id: null, session_id: 'second' })
    assert.deepEqual(
      client.peers.map(({ isClosed }) => isClosed),
      [true, true],
    )
  })
})

describe('clicking quickly', () => {
  test('from room to room ends in the last, whatever was granted in between', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.connect()
    const refusal = assert.rejects(client.voice.join(HALL), new VoiceError('left'))
    const joined = client.voice.join({ room_id: 'den' })
    await refusal
    grant(connection, 'hall session', (await asked(connection)).nonce)
    await client.letIn(connection, 'den session')
    await joined
    assert.equal(client.voice.status.sessionId, 'den session')
    assert.equal(client.peers.length, 1)
  })

  test('on leave before the grant leaves nothing behind', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.connect()
    const refusal = assert.rejects(client.voice.join(HALL), new VoiceError('left'))
    const { nonce } = await asked(connection)
    client.voice.leave()
    await refusal
    assert.equal((await asked(connection)).room_id, null)
    grant(connection, 'first', nonce)
    const joined = client.voice.join(HALL)
    await client.letIn(connection, 'second')
    await joined
    assert.equal(client.peers.length, 1)
  })

  test('on the current room requests nothing', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.enter()
    await client.voice.join(HALL)
    client.voice.leave()
    const { room_id, session_id } = await asked(connection)
    assert.deepEqual({ room_id, session_id }, { room_id: null, session_id: 'first' })
    assert.equal(client.voice.status.phase, 'idle')
    assert.equal(client.peer.isClosed, true)
  })
})

describe('received streams', () => {
  test('follow the slots, and are empty while deafened', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.enter()
    const received: (readonly VoiceStream[])[] = []
    const isReceived = Promise.withResolvers<void>()
    client.voice.onStreams((streams) => {
      received.push(streams)
      if (received.length === 2) isReceived.resolve()
    })
    const fill = (slot: number, user_id: string | null) =>
      signal(connection, { kind: 'slots', session_id: 'first', slots: [{ slot, user_id }] })
    fill(1, 'ben')
    fill(0, 'eve')
    await isReceived.promise
    const [eves, bens] = client.peer.received
    assert.deepEqual(
      received[1]?.map(({ user_id, track }) => [user_id, track === (user_id === 'ben' ? bens : eves)]),
      [
        ['ben', true],
        ['eve', true],
      ],
    )
    client.voice.setSelf({ deaf: true })
    assert.deepEqual(received[2], [])
    client.voice.setSelf({ deaf: false })
    assert.equal(received[3]?.length, 2)
  })

  test('is shown while they speak', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.enter()
    const speaking = { conversation_id: null, user_ids: ['ben'] }
    connection.dispatch('VOICE_SPEAKING', { ...speaking, room_id: 'den' })
    connection.dispatch('VOICE_SPEAKING', { ...speaking, room_id: 'hall', user_ids: ['eve'] })
    const status = await client.until(({ speaking }) => speaking.size > 0)
    assert.deepEqual([...status.speaking], ['eve'])
  })
})

describe('the microphone', () => {
  test('is kept from session to session, but is not sent while muted', async (t) => {
    const client = await VoiceFixture.start(t, { selfIntervalMs: 20 })
    const [track, other] = [makeTrack(), makeTrack()]
    await client.voice.setMicrophone(track)
    const connection = await client.enter()
    assert.equal(client.peer.sent, track)
    await client.voice.setMicrophone(other)
    assert.equal(client.peer.sent, other)
    client.voice.setSelf({ mute: true })
    assert.equal(client.peer.sent, null)
    const { self_mute, session_id } = await asked(connection)
    assert.deepEqual({ self_mute, session_id }, { self_mute: true, session_id: 'first' })
    client.peer.become('failed')
    await client.letIn(connection, 'second')
    await client.reaches('connected')
    assert.equal(client.peer.sent, null)
    client.voice.setSelf({ mute: false })
    assert.equal(client.peer.sent, other)
  })

  test('that is switched many times is sent at once, and then in its last state', async (t) => {
    const client = await VoiceFixture.start(t, { selfIntervalMs: 50 })
    const connection = await client.enter()
    for (const mute of [true, false, true, false]) client.voice.setSelf({ mute })
    client.voice.setSelf({ deaf: true })
    assert.equal((await asked(connection)).self_mute, true)
    const { self_mute, self_deaf } = await asked(connection)
    assert.deepEqual({ self_mute, self_deaf }, { self_mute: false, self_deaf: true })
  })
})
