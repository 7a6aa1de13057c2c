import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { VoiceStatus } from '@foyer/sdk/voice/status'
import type { MicrophoneTrouble } from './microphone.ts'
import { type SentTrack, VoiceControl, type VoiceParts } from './voice-control.ts'
import { usualSettings } from './voice-settings.ts'

const lounge = { room_id: 'lounge' }
const there = { space_id: 'space', room_id: 'lounge', conversation_id: null }
const microphoneOf = ({ control }: ReturnType<typeof open>) => control.api.getState().microphone

/** Joins a room and opens the microphone. */
async function inRoom(options?: Parameters<typeof open>[0]) {
  const opened = open(options)
  const track = new FakeTrack()
  await opened.control.join(lounge)
  opened.report({ phase: 'connected', place: there })
  opened.asked[0]?.resolve(track)
  await setImmediate()
  return { ...opened, track }
}

test('playback is allowed before anything is awaited, and listening starts before the microphone is allowed', async () => {
  const opened = open()
  const joined = opened.control.join(lounge)
  assert.deepEqual(opened.calls.slice(-2), ['wake', 'join {"mute":false,"deaf":false}'])
  await joined
  assert.equal(microphoneOf(opened), 'opening')
})

test('a user who may not speak is not asked for the microphone', async () => {
  const opened = open({ speaks: false })
  await opened.control.join(lounge)
  assert.deepEqual([opened.asked.length, microphoneOf(opened)], [0, 'closed'])
})

test('a user who refuses the microphone listens, and may allow it later', async () => {
  const opened = open()
  await opened.control.join(lounge)
  opened.asked[0]?.resolve('denied')
  await setImmediate()
  assert.equal(microphoneOf(opened), 'denied')
  const track = new FakeTrack()
  const again = opened.control.openMicrophone()
  opened.asked[1]?.resolve(track)
  await again
  assert.deepEqual([microphoneOf(opened), opened.sent.at(-1)], ['open', track])
})

test('a microphone that opens after leaving is closed at once', async () => {
  const opened = open()
  await opened.control.join(lounge)
  opened.control.leave()
  const track = new FakeTrack()
  opened.asked[0]?.resolve(track)
  await setImmediate()
  assert.deepEqual([track.readyState, microphoneOf(opened)], ['ended', 'closed'])
})

test('the microphone ends with voice: by leaving, a failure or a closed page', async () => {
  for (const end of ['leave', 'fail', 'hide'] as const) {
    const opened = await inRoom()
    assert.equal(opened.track.readyState, 'live')
    if (end === 'leave') opened.control.leave()
    if (end === 'fail') opened.report({ phase: 'failed', reason: 'kicked' })
    if (end === 'hide') opened.leavePage()
    assert.deepEqual([opened.track.readyState, opened.sent.at(-1)], ['ended', null], end)
  }
})

test('joining another room keeps the microphone open', async () => {
  const opened = await inRoom()
  await opened.control.join({ room_id: 'studio' })
  opened.report({ phase: 'joining' })
  assert.deepEqual([opened.asked.length, opened.track.readyState], [1, 'live'])
})

test('a muted or deafened user sends nothing, and unmuting also undeafens', async () => {
  const { control, track } = await inRoom()
  const flags = () => {
    const { selfMute, selfDeaf } = control.api.getState().status
    return [selfMute, selfDeaf, track.enabled]
  }
  control.toggleMute()
  assert.deepEqual(flags(), [true, false, false])
  control.toggleMute()
  control.toggleDeafen()
  assert.deepEqual(flags(), [false, true, false])
  control.toggleMute()
  assert.deepEqual(flags(), [false, false, true])
})

test('push-to-talk sends audio only while its key is held', async () => {
  const { control, track } = await inRoom()
  control.changeSettings({ mode: 'push_to_talk' })
  assert.equal(track.enabled, false)
  control.setTalking(true)
  assert.equal(track.enabled, true)
  control.toggleMute()
  assert.equal(track.enabled, false, 'the muted stay so')
  control.toggleMute()
  control.setTalking(false)
  assert.equal(track.enabled, false)
})

test('a newly chosen microphone replaces the open one', async () => {
  const opened = await inRoom()
  opened.control.changeSettings({ input: 'desk' })
  const other = new FakeTrack()
  opened.asked[1]?.resolve(other)
  await setImmediate()
  assert.deepEqual([opened.track.readyState, opened.sent.at(-1)], ['ended', other])
  opened.control.changeSettings({ output: 'headset' })
  assert.deepEqual([opened.asked.length, opened.calls.at(-1)], [2, 'output headset'])
})

test('a setting that changes while the microphone opens applies to it', async () => {
  const opened = open()
  await opened.control.join(lounge)
  opened.control.changeSettings({ noiseSuppression: false })
  const [late, other] = [new FakeTrack(), new FakeTrack()]
  opened.asked[1]?.resolve(other)
  opened.asked[0]?.resolve(late)
  await setImmediate()
  assert.deepEqual([late.readyState, opened.sent.at(-1), opened.asked.length], ['ended', other, 2])
})

test('a user whose microphone is unplugged keeps listening', async () => {
  const opened = await inRoom()
  opened.track.dispatchEvent(new Event('ended'))
  assert.deepEqual([microphoneOf(opened), opened.sent.at(-1)], ['missing', null])
})

test('settings and volumes are kept, and invalid stored ones do no harm', () => {
  const { control, storage } = open()
  control.changeSettings({ noiseSuppression: false, signals: false, output: 'headset' })
  control.setVolume('mira', 150)
  const again = open({ kept: Object.fromEntries(storage) })
  const { settings, volumes } = again.control.api.getState()
  assert.deepEqual([settings.noiseSuppression, settings.signals, settings.output], [false, false, 'headset'])
  assert.deepEqual(volumes, { mira: 150 })
  assert.deepEqual(again.calls, ['volumes {"mira":150}', 'output headset'])
  again.control.setVolume('mira', 100)
  assert.deepEqual(again.control.api.getState().volumes, {}, 'as loud as usual is nothing to remember')
  for (const odd of ['{', 'null', '7', '{"mira":"loud"}', '{"talkKey":{}}']) {
    const view = open({ kept: { 'foyer.voice': odd, 'foyer.voice.volumes': odd } }).control.api.getState()
    assert.deepEqual([view.settings, view.volumes], [usualSettings, {}])
  }
})

const idle: VoiceStatus = {
  phase: 'idle',
  place: undefined,
  sessionId: undefined,
  reason: undefined,
  selfMute: false,
  selfDeaf: false,
  selfVideo: false,
  selfStream: false,
  hasVideo: false,
  speaking: new Set(),
}

/** The part of a microphone's track that the tests need. */
class FakeTrack extends EventTarget {
  enabled = true
  readyState: MediaStreamTrackState = 'live'

  stop(): void {
    this.readyState = 'ended'
  }
}

function fakeLoudspeaker(calls: string[]): VoiceParts['loudspeaker'] {
  return {
    wake: () => calls.push('wake'),
    play: () => undefined,
    setVolumes: (volumes) => calls.push(`volumes ${JSON.stringify(volumes)}`),
    setOutput: (id) => calls.push(`output ${id}`),
    close: () => calls.push('silence'),
  }
}

/** A control with a fake voice line, whose microphone opens when the test resolves it. */
function open({ kept = {}, speaks = true }: { kept?: Record<string, string>; speaks?: boolean } = {}) {
  const calls: string[] = []
  const sent: unknown[] = []
  const asked: PromiseWithResolvers<SentTrack | MicrophoneTrouble>[] = []
  const storage = new Map(Object.entries(kept))
  let notify: (status: VoiceStatus) => void = () => undefined
  let leavePage: () => void = () => undefined
  const report = (change: Partial<VoiceStatus>) => notify({ ...control.api.getState().status, ...change })
  const control = new VoiceControl({
    voice: {
      status: idle,
      reconnectNow: () => calls.push('reconnect'),
      join: async (_place, self) => void calls.push(`join ${JSON.stringify(self)}`),
      leave: () => report({ ...idle }),
      setSelf: ({ mute, deaf }) =>
        report({
          ...(mute === undefined ? {} : { selfMute: mute }),
          ...(deaf === undefined ? {} : { selfDeaf: deaf }),
        }),
      setMicrophone: async (track) => void sent.push(track),
      onStatus: (listener) => {
        notify = listener
        return () => undefined
      },
      onStreams: () => () => undefined,
      quality: async () => ({ rttMs: 20, lossPercent: 0, jitterMs: 1 }),
      close: () => calls.push('close'),
    },
    loudspeaker: fakeLoudspeaker(calls),
    openMicrophone: () => {
      const pending = Promise.withResolvers<SentTrack | MicrophoneTrouble>()
      asked.push(pending)
      return pending.promise
    },
    storage: {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
    },
    maySpeak: () => speaks,
    onLeaving: (listener) => {
      leavePage = listener
      return () => undefined
    },
  })
  return { control, calls, sent, asked, storage, report, leavePage: () => leavePage() }
}
