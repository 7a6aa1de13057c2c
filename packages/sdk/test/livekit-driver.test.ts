import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import type { BrowserDriverEvents } from '@foyer/sdk/voice/browser-driver'
import type { DriverEvents } from '@foyer/sdk/voice/driver'
import { LiveKitDriver } from '@foyer/sdk/voice/livekit-driver'
import type { LiveKitModule } from '@foyer/sdk/voice/livekit-options'
import type { ReceivedPictures } from '@foyer/sdk/voice/pictures'
import { makeTrack } from './voice-fixture.ts'

const Source = {
  Microphone: 'mic',
  Camera: 'camera',
  ScreenShare: 'screen',
  ScreenShareAudio: 'screen sound',
}

/** A script for the parts of livekit-client in use, which needs a browser. It records calls. */
function scriptedLiveKit() {
  const asked: string[] = []
  const room = Object.assign(new EventEmitter(), {
    remoteParticipants: new Map(),
    localParticipant: {
      permissions: { canPublish: true },
      published: new Map<string, object>(),
      getTrackPublication: (source: string) => room.localParticipant.published.get(source),
      publishTrack: async (_track: object, { source }: { source: string }) => {
        asked.push(source === 'mic' ? 'publish' : `publish ${source}`)
        const made = { ...publication, isMuted: false }
        room.localParticipant.published.set(source, made)
        return made
      },
      unpublishTrack: async () => void asked.push('unpublish'),
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
    'TrackPublished',
    'TrackSubscribed',
    'TrackUnsubscribed',
    'ActiveSpeakersChanged',
    'ParticipantPermissionsChanged',
  ]
  const events = Object.fromEntries([...names.map((name) => [name, name]), ['Disconnected', 'disconnected']])
  function Room() {
    return room
  }
  const module: LiveKitModule = Object({
    Room,
    RoomEvent: events,
    Track: { Source },
    VideoQuality: { HIGH: 2 },
  })
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
  pictures = ({ pictures, sounds }: ReceivedPictures) => {
    const seen = pictures.map(({ user_id, source }) => `${user_id} ${source}`)
    const heard = sounds.map(({ user_id }) => `${user_id} sound`)
    if (seen.length + heard.length > 0) this.#keep(`pictures ${[...seen, ...heard]}`)
  }
  watch = () => this.#keep('watch')
  speaking = (userIds: readonly string[]) => this.#keep(`speaking ${userIds}`)

  #keep(word: string): void {
    this.words.push(word)
    this.emit('event')
  }
}

/** A published track of another participant. It remembers whether it is subscribed to, and in which size. */
function publicationOf(source: string) {
  const publication: PublishedTrack = {
    source,
    isWanted: true,
    changes: 0,
    get isDesired() {
      return publication.isWanted
    },
    track: { mediaStreamTrack: makeTrack() },
    setSubscribed: (isWanted: boolean) => {
      publication.changes += 1
      publication.isWanted = isWanted
    },
    height: 'full',
    // The library, too, keeps no size without a track.
    setVideoDimensions: ({ height }) => {
      if (publication.track !== undefined) publication.height = height
    },
    setVideoQuality: () => {
      publication.height = 'full'
    },
  }
  return publication
}

interface PublishedTrack {
  readonly source: string
  isWanted: boolean
  changes: number
  readonly isDesired: boolean
  track: { mediaStreamTrack: MediaStreamTrack } | undefined
  height: number | 'full'
  setSubscribed(isWanted: boolean): void
  setVideoDimensions(size: { height: number }): void
  setVideoQuality(): void
}

function participant(userId: string, ...publications: ReturnType<typeof publicationOf>[]) {
  const all = new Map(publications.map((publication) => [publication.source, publication]))
  const audio = [...all].filter(([source]) => ['mic', 'screen sound'].includes(source))
  return {
    attributes: { user_id: userId },
    trackPublications: all,
    audioTrackPublications: new Map(audio),
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
  const ben = participant('ben', publicationOf('mic'))
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

test('LiveKit subscribes to the pictures that are watched, and the sound of a screen is no voice', async () => {
  const { room, module } = scriptedLiveKit()
  const events = new RecordedEvents()
  const isUp = once(events, 'event')
  const [voice, camera, screen, sound] = ['mic', 'camera', 'screen', 'screen sound'].map(publicationOf)
  assert.ok(voice && camera && screen && sound)
  room.remoteParticipants.set('session', participant('ben', voice, camera, screen, sound))
  const driver = new LiveKitDriver({ ...grant, load: async () => module, events })
  await isUp
  const wanted = () => [voice, camera, screen, sound].map(({ isWanted }) => isWanted)
  assert.deepEqual(wanted(), [true, false, false, false])
  driver.watch([{ user_id: 'ben', source: 'screen' }])
  assert.deepEqual(wanted(), [true, false, true, true])
  room.emit('TrackSubscribed')
  assert.deepEqual(events.words.slice(-2), ['streams ben', 'pictures ben camera,ben screen,ben sound'])
  driver.setDeaf(true)
  assert.deepEqual(wanted(), [false, false, true, false], 'only the sound goes')
  driver.setDeaf(false)
  assert.deepEqual(wanted(), [true, false, true, true])
  const changes = voice.changes
  driver.setDeaf(false)
  room.emit('TrackPublished')
  assert.equal(voice.changes, changes, 'a change of others needs no message about this one')
})

test('LiveKit gets the size of a picture once its track has arrived, and the full size when none is known', async () => {
  const { room, module } = scriptedLiveKit()
  const events = new RecordedEvents()
  const isUp = once(events, 'event')
  const camera = publicationOf('camera')
  const arriving = camera.track
  camera.track = undefined
  room.remoteParticipants.set('session', participant('ben', camera))
  const driver = new LiveKitDriver({ ...grant, load: async () => module, events })
  await isUp
  driver.watch([{ user_id: 'ben', source: 'camera', height: 180 }])
  assert.deepEqual([camera.isWanted, camera.height], [true, 'full'])
  camera.track = arriving
  room.emit('TrackSubscribed')
  assert.equal(camera.height, 180)
  driver.watch([{ user_id: 'ben', source: 'camera', height: 720 }])
  assert.equal(camera.height, 720)
  driver.watch([{ user_id: 'ben', source: 'camera' }])
  assert.equal(camera.height, 'full')
})

test('LiveKit publishes a camera and a screen once, and unpublishes what ends', async () => {
  const { asked, room, module } = scriptedLiveKit()
  const events = new RecordedEvents()
  const isUp = once(events, 'event')
  const driver = new LiveKitDriver({ ...grant, load: async () => module, events })
  await isUp
  const [camera, screen, sound] = [makeTrack(), makeTrack(), makeTrack()]
  await driver.sendPictures({ camera, screen, sound })
  await driver.sendPictures({ camera, screen: null, sound: null })
  room.localParticipant.permissions.canPublish = false
  await driver.sendPictures({ camera: makeTrack(), screen: null, sound: null })
  const published = ['publish camera', 'publish screen', 'publish screen sound']
  assert.deepEqual(asked.slice(1, 4).toSorted(), published)
  assert.deepEqual(asked.slice(4), ['unpublish', 'unpublish', 'unpublish'])
})

test('LiveKit publishes the sound of a screen again whose permission was taken away and given back', async () => {
  const { asked, room, module } = scriptedLiveKit()
  const events = new RecordedEvents()
  const isUp = once(events, 'event')
  const driver = new LiveKitDriver({ ...grant, load: async () => module, events })
  await isUp
  const pictures = { camera: null, screen: makeTrack(), sound: makeTrack() }
  await driver.sendPictures(pictures)
  room.localParticipant.published.delete('screen sound')
  asked.length = 0
  await driver.sendPictures(pictures)
  assert.deepEqual(asked, ['unpublish', 'publish screen sound'])
})
