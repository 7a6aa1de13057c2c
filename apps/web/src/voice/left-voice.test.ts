import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VoiceStatus } from '@foyer/sdk/voice/status'
import { keepLeftVoice, takeLeftVoice } from './left-voice.ts'

const MINUTE_MS = 60_000
const inCall: VoiceStatus = {
  phase: 'connected',
  place: { space_id: null, room_id: null, conversation_id: 'mira' },
  sessionId: 'session',
  reason: undefined,
  selfMute: true,
  selfDeaf: false,
  selfVideo: false,
  selfStream: false,
  hasVideo: false,
  speaking: new Set(),
}

test('WEB-19: a reload finds the room the page was in, once', () => {
  const storage = storageOf()
  keepLeftVoice(storage, inCall, 0)
  const left = { target: { conversation_id: 'mira' }, mute: true, deaf: false }
  assert.deepEqual(takeLeftVoice(storage, MINUTE_MS - 1), left)
  assert.equal(takeLeftVoice(storage, MINUTE_MS - 1), null)
  const inRoom = { space_id: 'space', room_id: 'lounge', conversation_id: null }
  keepLeftVoice(storage, { ...inCall, place: inRoom }, 0)
  assert.deepEqual(takeLeftVoice(storage, 1)?.target, { room_id: 'lounge' })
})

test('WEB-19: after a minute, or if the page was not in voice, there is nothing', () => {
  const storage = storageOf()
  keepLeftVoice(storage, inCall, 0)
  assert.equal(takeLeftVoice(storage, MINUTE_MS), null)
  for (const phase of ['idle', 'failed'] as const) keepLeftVoice(storage, { ...inCall, phase }, 0)
  assert.equal(takeLeftVoice(storage, 1), null)
})

function storageOf(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}
