import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import type { BrowserDriverEvents } from '@foyer/sdk/voice/browser-driver'
import type { DriverEvents } from '@foyer/sdk/voice/driver'
import { LiveKitDriver } from '@foyer/sdk/voice/livekit-driver'
import type { LiveKitModule } from '@foyer/sdk/voice/livekit-options'
import { makeTrack } from './voice-fixture.ts'

/** A script for the parts of livekit-client in use, which needs a browser. It records calls. */
function scriptedLiveKit() {
  const asked: string[] = []
  const room = Object.assign(new EventEmitter(), {
    remoteParticipants: new Map(),
    localParticipant: {
      permissions: { canPublish: true },
      published: undefined,
      getTrackPublication: () => room.localParticipant.published,
      publishTrack: async () => {
        asked.push('publish')
        room.localParticipant.published = Object(publication)
        return publication
      },
    },
    connect: async (url: string, token: string) => void asked.push(`connect ${url} ${token}`),
    disconnect: async () => {
      asked.push('disconnect')
      room.emit('disconnected')
    },
  })
  const publication = {
    audioTrack: { replaceTrack: async () => void asked.push('replace') },
    mute: async () => void asked.push('mute'),
    unmute: async () => void asked.push('unmute'),
  }
  const names = [
    'TrackSubscribed',
    'TrackUnsubscribed',
    'ActiveSpeakersChanged',
    'ParticipantPermissionsChanged',
  ]
  const events = Object.fromEntries([...names.map((name) => [name, name]), ['Disconnected', 'disconnected']])
  function Room() {
    return room
  }
  const module: LiveKitModule = Object({ Room, RoomEvent: events, Track: { Source: { Microphone: 'mic' } } })
  return { asked, room, module }
}

/** Records the driver's events. */
class RecordedEvents extends EventEmitter implements DriverEvents, BrowserDriverEvents {
  readonly words: string[] = []
  offer = () => this.#keep('offer')
  up = () => this.#keep('up')
  lost = () => this.#keep('lost')
  fail = (reason: string) => this.#keep(`fail ${reason}`)
  streams = (streams: readonly { user_id: string }[]) =>
    this.#keep(`streams ${streams.map(({ user_id }) => user_id)}`)
  speaking = (userIds: readonly string[]) => this.#keep(`speaking ${userIds}`)

  #keep(word: string): void {
    this.words.push(word)
    this.emit('event')
  }
}

const grant = { url: 'wss://livekit', token: 'token', track: null }

test('LiveKit carries voice: it connects with the grant, reports streams and speakers, and ends once', async () => {
  const { asked, room, module } = scriptedLiveKit()
  const events = new RecordedEvents()
  const isUp = once(events, 'event')
  const driver = new LiveKitDriver({ ...grant, load: async () => module, events })
  await isUp
  assert.deepEqual(asked, ['connect wss://livekit token'])
  const publications = new Map([['a', { track: { mediaStreamTrack: makeTrack() } }]])
  const ben = { attributes: { user_id: 'ben' }, audioTrackPublications: publications }
  room.remoteParticipants.set('session', ben)
  room.emit('TrackSubscribed')
  room.emit('ActiveSpeakersChanged', [ben, { attributes: {} }])
  driver.close()
  room.emit('TrackUnsubscribed')
  assert.deepEqual(events.words, ['up', 'streams ben', 'speaking ben'])
  assert.equal(asked.at(-1), 'disconnect')
})

test('LiveKit sends one track: muted and replaced, and published only with permission', async () => {
  const { asked, room, module } = scriptedLiveKit()
  const events = new RecordedEvents()
  room.localParticipant.permissions.canPublish = false
  const isUp = once(events, 'event')
  const driver = new LiveKitDriver({ ...grant, track: makeTrack(), load: async () => module, events })
  await isUp
  await driver.send(makeTrack())
  assert.equal(asked.includes('publish'), false)
  room.localParticipant.permissions.canPublish = true
  for (const track of [makeTrack(), null, makeTrack()]) await driver.send(track)
  assert.deepEqual(asked.slice(1), ['publish', 'mute', 'replace', 'unmute'])
  room.emit('disconnected')
  assert.equal(events.words.at(-1), 'lost')
})

test('LiveKit that cannot be loaded fails, and one that does not connect is lost', async () => {
  const events = new RecordedEvents()
  const hasFailed = once(events, 'event')
  new LiveKitDriver({ ...grant, load: () => Promise.reject(new Error('offline')), events })
  await hasFailed
  const { room, module } = scriptedLiveKit()
  room.connect = () => Promise.reject(new Error('refused'))
  const isLost = once(events, 'event')
  new LiveKitDriver({ ...grant, load: async () => module, events })
  await isLost
  assert.deepEqual(events.words, ['fail unavailable', 'lost'])
})
