import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import type { VoiceEndReason } from '@foyer/protocol/voice'
import type { VoiceFailure } from '@foyer/sdk/voice/status'
import type { FixtureConnection } from './gateway-fixture.ts'
import { idAt } from './gateway-fixture.ts'
import { asked, grant, refuse, signal, stateIn, VoiceFixture } from './voice-fixture.ts'

const NOW = Date.UTC(2026, 0, 1)

/** Expects a new request for the room, without a session. */
async function isAskedAgain(connection: FixtureConnection, roomId = 'hall') {
  const { room_id, session_id, nonce } = await asked(connection)
  assert.deepEqual({ room_id, session_id }, { room_id: roomId, session_id: null })
  return nonce
}

describe('interrupted media', () => {
  test('restarts with a new session', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.enter()
    const { peer } = client
    peer.become('failed')
    assert.equal(client.voice.status.phase, 'reconnecting')
    assert.equal(peer.isClosed, true)
    grant(connection, 'second', await isAskedAgain(connection))
    await client.comeUp(connection)
    assert.equal((await client.reaches('connected')).sessionId, 'second')
  })

  test('restarts in place of the lost session only, and not where the user is elsewhere by then', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.enter()
    client.peer.become('failed')
    const { after_session_id, nonce } = await asked(connection)
    assert.equal(after_session_id, 'first')
    refuse(connection, 'joined_elsewhere', nonce)
    assert.equal((await client.reaches('failed')).reason, 'taken_over')
  })

  test('continues after a moment', async (t) => {
    const client = await VoiceFixture.start(t, { interruptionMs: 30 })
    const connection = await client.enter()
    client.peer.become('disconnected')
    client.peer.become('connected')
    await new Promise((resolve) => setTimeout(resolve, 60))
    assert.equal(client.voice.status.phase, 'connected')
    client.peer.become('disconnected')
    await isAskedAgain(connection)
  })

  test('that fails repeatedly right after starting is given up', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.enter()
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      client.peer.become('failed')
      await client.letIn(connection, `session ${attempt}`)
      await client.reaches('connected')
    }
    client.peer.become('failed')
    assert.equal(client.voice.status.reason, 'network')
  })

  test('continues with the server’s new grant when its process ended', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.enter()
    const before = client.peer
    grant(connection, 'first')
    await client.comeUp(connection)
    await client.reaches('connected')
    assert.equal(before.isClosed, true)
    client.voice.leave()
    assert.equal((await asked(connection)).session_id, 'first')
  })

  test('is not waited for when the network is known to be down', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.enter()
    client.voice.reconnectNow()
    await isAskedAgain(connection)
  })
})

describe('a session ended by the server', () => {
  const finals: [VoiceEndReason, VoiceFailure][] = [
    ['taken_over', 'taken_over'],
    ['moved', 'taken_over'],
    ['disconnected', 'kicked'],
    ['permission_lost', 'permission'],
    ['room_deleted', 'room_deleted'],
    ['session_ended', 'session_ended'],
  ]
  for (const [end, reason] of finals) {
    test(`because of ${end} is over: ${reason}`, async (t) => {
      const client = await VoiceFixture.start(t, { baseDelayMs: 60_000, maxDelayMs: 60_000 })
      const connection = await client.enter()
      // Media may stop before its reason arrives.
      client.peer.become('failed')
      signal(connection, { kind: 'end', session_id: 'another', reason: 'failed' })
      signal(connection, { kind: 'end', session_id: 'first', reason: end })
      const status = await client.reaches('failed')
      assert.equal(status.reason, reason)
      const joined = client.voice.join({ room_id: 'den' })
      grant(connection, 'den', await isAskedAgain(connection, 'den'))
      await client.comeUp(connection)
      await joined
    })
  }

  test('rejoins when its host failed', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.enter()
    signal(connection, { kind: 'end', session_id: 'first', reason: 'failed' })
    await isAskedAgain(connection)
  })

  test('rejoins even if the signal of its end was lost', async (t) => {
    const client = await VoiceFixture.start(t, { reasonTimeoutMs: 30 })
    const connection = await client.enter()
    connection.dispatch('VOICE_STATE_UPDATE', stateIn(null))
    await isAskedAgain(connection)
  })

  test('is over when it was taken over, even if the signal was lost', async (t) => {
    const client = await VoiceFixture.start(t, { reasonTimeoutMs: 30 })
    const connection = await client.enter()
    connection.dispatch('VOICE_STATE_UPDATE', stateIn(null))
    connection.dispatch('VOICE_STATE_UPDATE', stateIn('den', 'of the phone'))
    assert.equal((await client.reaches('failed')).reason, 'taken_over')
  })

  test('is followed when it begins again elsewhere', async (t) => {
    const client = await VoiceFixture.start(t, { reasonTimeoutMs: 30 })
    const connection = await client.enter()
    connection.dispatch('VOICE_STATE_UPDATE', stateIn(null))
    connection.dispatch('VOICE_STATE_UPDATE', stateIn('den'))
    grant(connection, 'first')
    await client.comeUp(connection)
    const { place, sessionId } = await client.reaches('connected')
    assert.deepEqual([place?.room_id, sessionId], ['den', 'first'])
  })
})

describe('an interrupted gateway', () => {
  async function cutOff(client: VoiceFixture): Promise<FixtureConnection> {
    const connection = await client.enter()
    const isHeard = new Promise<void>((resolve) => void client.gateway.on('ROOM_DELETE', () => resolve()))
    connection.event(idAt(NOW))
    await isHeard
    connection.cut()
    return client.server.accept()
  }

  test('resumes with media unchanged, and asks for the slots', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await cutOff(client)
    await connection.receive(Opcode.Resume)
    connection.dispatch('RESUMED', { replayed: 0, presences: [] })
    const { room_id, session_id } = await asked(connection)
    assert.deepEqual({ room_id, session_id }, { room_id: 'hall', session_id: 'first' })
    assert.equal(client.voice.status.phase, 'connected')
    assert.equal(client.peers.length, 1)
  })

  test('resumes and finds that the session is over', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await cutOff(client)
    await connection.receive(Opcode.Resume)
    connection.dispatch('VOICE_STATE_UPDATE', stateIn(null), idAt(NOW + 1))
    connection.dispatch('RESUMED', { replayed: 1, presences: [] })
    await isAskedAgain(connection)
  })

  for (const [what, states, roomId] of [
    ['still there', [stateIn('hall')], 'hall'],
    ['gone', [], 'hall'],
  ] as const) {
    test(`identifies again and finds the session ${what}`, async (t) => {
      const client = await VoiceFixture.start(t)
      const connection = await cutOff(client)
      await connection.receive(Opcode.Resume)
      connection.send(Opcode.InvalidSession)
      await connection.receive(Opcode.Identify)
      connection.ready(undefined, { voice_states: [...states] })
      const { room_id, session_id } = await asked(connection)
      assert.deepEqual([room_id, session_id], [roomId, states.length === 0 ? null : 'first'])
    })
  }

  test('resumes while the user is elsewhere and receives only the last state', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await cutOff(client)
    await connection.receive(Opcode.Resume)
    connection.dispatch('VOICE_STATE_UPDATE', stateIn('den', 'of the phone'), idAt(NOW + 1))
    connection.dispatch('RESUMED', { replayed: 1, presences: [] })
    assert.equal((await client.reaches('failed')).reason, 'taken_over')
  })

  test('does not take voice back from another device', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await cutOff(client)
    client.peer.become('failed')
    await connection.receive(Opcode.Resume)
    connection.send(Opcode.InvalidSession)
    await connection.receive(Opcode.Identify)
    connection.ready(undefined, { voice_states: [stateIn('hall', 'of the phone')] })
    assert.equal((await client.reaches('failed')).reason, 'taken_over')
  })

  test('that ends permanently ends voice, and so does one that is closed', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.enter()
    connection.close(CloseCode.SessionEnded)
    assert.equal((await client.reaches('failed')).reason, 'session_ended')
    const other = await VoiceFixture.start(t)
    await other.enter()
    other.gateway.close()
    assert.equal(other.voice.status.phase, 'idle')
    assert.equal(other.peer.isClosed, true)
  })
})
