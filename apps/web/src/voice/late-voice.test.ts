import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { VoiceStatus } from '@foyer/sdk/voice/status'
import type { SentTrack, VoiceLine } from './control/voice-control.ts'
import { LateVoice } from './late-voice.ts'

const lounge = { room_id: 'lounge' }
const track: SentTrack = Object.assign(new EventTarget(), {
  enabled: true,
  readyState: 'live' as const,
  stop: () => undefined,
})

test('the first join loads the code, and keeps the flags and the microphone set before it arrived', async () => {
  const { voice, calls, phases, code } = late()
  voice.setSelf({ deaf: true })
  const joined = voice.join(lounge, { mute: true })
  assert.deepEqual(voice.status.place, { space_id: null, room_id: 'lounge', conversation_id: null })
  await voice.setMicrophone(track)
  voice.setSelf({ mute: false })
  assert.deepEqual(calls, [])
  code.resolve()
  await joined
  assert.deepEqual(calls, ['microphone true', 'join lounge {"mute":false,"deaf":true}'])
  assert.deepEqual(phases.at(-1), 'connected')
  assert.equal(voice.status.phase, 'connected')
})

test('a join that is left before the code arrived opens nothing', async () => {
  for (const end of ['leave', 'close'] as const) {
    const { voice, calls, code } = late()
    const joined = voice.join(lounge)
    voice[end]()
    code.resolve()
    await joined
    assert.deepEqual([calls, voice.status.phase, voice.status.place], [[], 'idle', undefined], end)
  }
})

test('the last of two joins before the code arrived counts', async () => {
  const { voice, calls, code } = late()
  const joins = [voice.join(lounge), voice.join({ conversation_id: 'mira' })]
  code.resolve()
  await Promise.all(joins)
  assert.deepEqual(calls.slice(1), ['join mira {"mute":false,"deaf":false}'])
})

test('a join fails if its code cannot be loaded, and the next join tries again', async () => {
  const { voice, code, phases } = late()
  const joined = voice.join(lounge)
  code.reject(new Error('no network'))
  await joined
  assert.deepEqual([voice.status.phase, voice.status.reason], ['failed', 'unavailable'])
  await voice.join(lounge)
  assert.deepEqual(phases, ['joining', 'failed', 'joining', 'failed'])
})

/** Opens voice whose code arrives when the test resolves it. */
function late() {
  const calls: string[] = []
  const phases: string[] = []
  const code = Promise.withResolvers<void>()
  const voice = new LateVoice(async () => {
    await code.promise
    return () => lineOf(calls)
  })
  voice.onStatus(({ phase }) => phases.push(phase))
  return { voice, calls, phases, code }
}

/** Fakes the SDK's voice: every join connects at once. */
function lineOf(calls: string[]): VoiceLine {
  const listeners: ((status: VoiceStatus) => void)[] = []
  let status = new LateVoice(() => Promise.reject(new Error('not used'))).status
  return {
    get status() {
      return status
    },
    join: async (place, self) => {
      calls.push(`join ${Object.values(place)[0]} ${JSON.stringify(self)}`)
      status = { ...status, phase: 'connected' }
      for (const listener of listeners) listener(status)
    },
    setMicrophone: async (sent) => void calls.push(`microphone ${sent === track}`),
    leave: () => undefined,
    setSelf: () => undefined,
    reconnectNow: () => undefined,
    onStatus: (listener) => {
      listeners.push(listener)
      return () => undefined
    },
    onStreams: () => () => undefined,
    quality: async () => undefined,
    close: () => undefined,
  }
}
