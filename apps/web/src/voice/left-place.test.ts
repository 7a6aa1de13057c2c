import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VoiceStatus } from '@foyer/sdk/voice/status'
import { keepLeftPlace, takeLeftPlace } from './left-place.ts'

const MINUTE_MS = 60_000
const inCall: VoiceStatus = {
  phase: 'connected',
  place: { space_id: null, room_id: null, conversation_id: 'mira' },
  sessionId: 'session',
  reason: undefined,
  selfMute: true,
  selfDeaf: false,
  speaking: new Set(),
}

test('WEB-19: a reload finds the room the page was in, once', () => {
  const storage = storageOf()
  keepLeftPlace(storage, inCall, 0)
  const left = { target: { conversation_id: 'mira' }, mute: true, deaf: false }
  assert.deepEqual(takeLeftPlace(storage, MINUTE_MS - 1), left)
  assert.equal(takeLeftPlace(storage, MINUTE_MS - 1), null)
  const inRoom = { space_id: 'space', room_id: 'lounge', conversation_id: null }
  keepLeftPlace(storage, { ...inCall, place: inRoom }, 0)
  assert.deepEqual(takeLeftPlace(storage, 1)?.target, { room_id: 'lounge' })
})

test('WEB-19: after a minute, or if the page was not in voice, there is nothing', () => {
  const storage = storageOf()
  keepLeftPlace(storage, inCall, 0)
  assert.equal(takeLeftPlace(storage, MINUTE_MS), null)
  for (const phase of ['idle', 'failed'] as const) keepLeftPlace(storage, { ...inCall, phase }, 0)
  assert.equal(takeLeftPlace(storage, 1), null)
})

function storageOf(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  }
}
