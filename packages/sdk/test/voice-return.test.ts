import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import type { VoiceEndReason } from '@foyer/protocol/voice'
import type { VoiceFailure } from '@foyer/sdk/voice/status'
import type { FixtureConnection } from './gateway-fixture.ts'
import { idAt } from './gateway-fixture.ts'
import { asked, grant, signal, stateIn, VoiceFixture } from './voice-fixture.ts'

const NOW = Date.UTC(2026, 0, 1)

/** Expects a new request for the room, without a session. */
async function isAskedAgain(connection: FixtureConnection, roomId = 'hall') {
  const { room_id, session_id, nonce } = await asked(connection)
  assert.deepEqual({ room_id, session_id }, { room_id: roomId, session_id: null })
  return nonce
}

describe('media that stops', () => {
  test('is begun anew, with a session of its own', async (t) => {
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

  test('for a moment only goes on', async (t) => {
    const client = await VoiceFixture.start(t, { interruptionMs: 30 })
    const connection = await client.enter()
    client.peer.become('disconnected')
    client.peer.become('connected')
    await new Promise((resolve) => setTimeout(resolve, 60))
    assert.equal(client.voice.status.phase, 'connected')
    client.peer.become('disconnected')
    await isAskedAgain(connection)
  })

  test('that stops again and again, right after it came, is given up', async (t) => {
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

  test('with its process goes on with the grant that the server sends', async (t) => {
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

  test('with the network is not waited for when that is known', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.enter()
    client.voice.reconnectNow()
    await isAskedAgain(connection)
  })
})

describe('a session that the server ends', () => {
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

  test('because its host failed is joined anew', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await client.enter()
    signal(connection, { kind: 'end', session_id: 'first', reason: 'failed' })
    await isAskedAgain(connection)
  })

  test('is joined anew too where the signal of its end was lost', async (t) => {
    const client = await VoiceFixture.start(t, { reasonTimeoutMs: 30 })
    const connection = await client.enter()
    connection.dispatch('VOICE_STATE_UPDATE', stateIn(null))
    await isAskedAgain(connection)
  })

  test('is over where it was taken over, and the signal of it was lost', async (t) => {
    const client = await VoiceFixture.start(t, { reasonTimeoutMs: 30 })
    const connection = await client.enter()
    connection.dispatch('VOICE_STATE_UPDATE', stateIn(null))
    connection.dispatch('VOICE_STATE_UPDATE', stateIn('den', 'of the phone'))
    assert.equal((await client.reaches('failed')).reason, 'taken_over')
  })

  test('to begin anew elsewhere is followed there', async (t) => {
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

describe('a gateway that was away', () => {
  async function cutOff(client: VoiceFixture): Promise<FixtureConnection> {
    const connection = await client.enter()
    const isHeard = new Promise<void>((resolve) => void client.gateway.on('ROOM_DELETE', () => resolve()))
    connection.event(idAt(NOW))
    await isHeard
    connection.cut()
    return client.server.accept()
  }

  test('and resumes finds media as it was, and asks who is in which slot', async (t) => {
    const client = await VoiceFixture.start(t)
    const connection = await cutOff(client)
    await connection.receive(Opcode.Resume)
    connection.dispatch('RESUMED', { replayed: 0, presences: [] })
    const { room_id, session_id } = await asked(connection)
    assert.deepEqual({ room_id, session_id }, { room_id: 'hall', session_id: 'first' })
    assert.equal(client.voice.status.phase, 'connected')
    assert.equal(client.peers.length, 1)
  })

  test('and resumes finds out that the session is over', async (t) => {
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
    test(`and begins anew finds the session ${what}`, async (t) => {
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

  test('and resumes while the user is elsewhere receives only the last state', async (t) => {
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

  test('for good ends voice, and so does one that is closed', async (t) => {
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
