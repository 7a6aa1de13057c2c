import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { WatchedPicture } from '@foyer/protocol/voice'
import type { PictureRefusal, VoiceStatus } from '@foyer/sdk/voice/status'
import { createStore } from 'zustand/vanilla'
import { usualSettings } from '../control/voice-settings.ts'
import type { CapturedScreen } from './capture.ts'
import { VideoControl, type VideoLine } from './video-control.ts'

test('CAMERA-1: the camera is sent while it is on, and its light goes off with it', async () => {
  const opened = open()
  const turning = opened.video.toggleCamera()
  assert.equal(opened.view().camera.phase, 'opening')
  const camera = new FakeTrack()
  opened.cameras[0]?.resolve(camera.track)
  await turning
  assert.deepEqual([opened.view().camera.phase, opened.sent.camera], ['on', camera.track])
  await opened.video.toggleCamera()
  assert.deepEqual([opened.view().camera.phase, opened.sent.camera, camera.isOpen], ['off', null, false])
})

test('CAMERA-1: a camera that opens after it was turned off, or after leaving, is closed at once', async () => {
  for (const end of ['turn off', 'leave']) {
    const opened = open()
    const turning = opened.video.toggleCamera()
    if (end === 'leave') opened.report({ phase: 'idle', place: undefined })
    else await opened.video.toggleCamera()
    const camera = new FakeTrack()
    opened.cameras[0]?.resolve(camera.track)
    await turning
    assert.deepEqual([camera.isOpen, opened.view().camera.phase, opened.view().trouble], [false, 'off', null])
  }
})

test('CAMERA-1: a camera that opened while the code of voice was loading is sent as soon as it joins', async () => {
  const opened = open({ isLoaded: false })
  opened.report({ phase: 'joining' })
  const turning = opened.video.toggleCamera()
  const camera = new FakeTrack()
  opened.cameras[0]?.resolve(camera.track)
  await turning
  opened.video.look('ada', true)
  await setTimeout(60)
  opened.video.attach(opened.line)
  assert.deepEqual([opened.sent.camera, opened.watched], [null, []])
  opened.report({ phase: 'connecting' })
  assert.deepEqual([opened.sent.camera, opened.watched], [camera.track, [['camera ada']]])
  opened.report({ phase: 'connected' })
  assert.equal(opened.watched.length, 1)
  // A stream alone is watched as early.
  const other = open({ isLoaded: false })
  other.video.watchStream('ben')
  other.video.attach(other.line)
  other.report({ phase: 'connecting' })
  assert.deepEqual(other.watched, [['screen ben']])
})

test('CAMERA-1: leaving, a failure and another room end the camera and the screen', async () => {
  const ends: Partial<VoiceStatus>[] = [
    { phase: 'idle', place: undefined },
    { phase: 'failed', reason: 'taken_over' },
    { phase: 'joining', place: { space_id: null, room_id: 'den', conversation_id: null } },
  ]
  for (const end of ends) {
    const { opened, camera, video, audio } = await live()
    opened.report({ phase: 'reconnecting' })
    assert.ok(camera.isOpen && video.isOpen, 'a lost connection changes nothing')
    opened.report(end)
    assert.deepEqual([camera.isOpen, video.isOpen, audio.isOpen], [false, false, false])
    assert.deepEqual(opened.sent, { camera: null, screen: null, sound: null })
  }
})

test('CAMERA-2: each trouble of a camera and a screen has its reason, and a cancelled choice has none', async () => {
  const camera = async (name: string) => {
    const opened = open()
    const turning = opened.video.toggleCamera()
    opened.cameras[0]?.reject(new DOMException('no', name))
    await turning
    assert.equal(opened.view().camera.phase, 'off')
    return opened.view().trouble
  }
  assert.equal(await camera('NotAllowedError'), 'camera_denied')
  assert.equal(await camera('NotFoundError'), 'camera_missing')
  assert.equal(await camera('NotReadableError'), 'camera_busy')
  assert.equal(await camera('SecurityError'), 'insecure')
  const screen = async (name: string, message: string) => {
    const opened = open()
    opened.video.toggleScreen()
    const sharing = opened.video.shareScreen(true)
    opened.screens[0]?.reject(new DOMException(message, name))
    await sharing
    const { screen: own, isChoosing, trouble } = opened.view()
    assert.deepEqual([own.phase, isChoosing], ['off', false])
    return trouble
  }
  assert.equal(await screen('NotAllowedError', 'Permission denied'), null)
  assert.equal(await screen('NotAllowedError', 'Permission denied by system'), 'screen_denied')
  assert.equal(await screen('NotReadableError', 'broken'), 'screen_busy')
})

test('CAMERA-2: an unplugged camera is explained, and a screen ended by the browser’s bar is not', async () => {
  const { opened, camera, video, audio } = await live()
  video.end()
  assert.deepEqual([opened.sent.screen, audio.isOpen, opened.view().trouble], [null, false, null])
  camera.end()
  assert.deepEqual([opened.sent.camera, opened.view().trouble], [null, 'camera_lost'])
})

test('CAMERA-3: what the server takes away or refuses is no longer captured, and is explained', async () => {
  for (const [refusal, trouble] of [
    [{ source: 'camera', code: 'missing_permission' }, 'camera_forbidden'],
    [{ source: 'camera', code: 'camera_limit' }, 'camera_limit'],
    [{ source: 'screen', code: 'screen_limit' }, 'screen_limit'],
    [{ source: 'screen', code: 'missing_permission' }, 'screen_forbidden'],
    [{ source: 'screen', code: 'odd' }, 'screen_failed'],
  ] as const) {
    const { opened, camera, video } = await live()
    opened.refuse(refusal)
    const isCamera = refusal.source === 'camera'
    assert.deepEqual([camera.isOpen, video.isOpen], [!isCamera, isCamera])
    assert.equal(opened.view().trouble, trouble)
  }
})

test('CAMERA-4: cameras are watched in sight, and streams from the click until they end', async () => {
  const opened = open()
  opened.video.look('ada', true)
  opened.video.look('ben', true)
  await setTimeout(60)
  assert.deepEqual(opened.watched, [['camera ada', 'camera ben']])
  opened.video.watchStream('ben')
  assert.deepEqual(opened.watched.at(-1), ['screen ben', 'camera ada', 'camera ben'])
  opened.video.look('ada', false)
  opened.video.look('ben', false)
  await setTimeout(60)
  assert.deepEqual(opened.watched.at(-1), ['screen ben'], 'its sound goes on elsewhere')
  opened.video.keepStreams(['ben'])
  assert.equal(opened.watched.length, 3)
  opened.video.keepStreams([])
  assert.deepEqual([opened.watched.at(-1), opened.view().streams], [[], []])
})

test('CAMERA-5: a stream has its own volume, which voices do not share', async () => {
  const opened = open({ volumes: { ben: 50, 'stream:ben': 150 } })
  assert.deepEqual(opened.volumes.at(-1), { ben: 150 })
})

test('CAMERA-6: a screen is captured with its sound only by who may speak', async () => {
  const { opened } = await live()
  assert.deepEqual([opened.asked, opened.view().sharesSound], [[true], true])
  opened.video.toggleScreen()
  assert.equal(opened.view().sharesSound, false)
  void opened.video.shareScreen(false)
  assert.deepEqual(opened.asked, [true, false])
})

test('settings are kept, and a newly chosen camera replaces the open one', async () => {
  const { opened, camera } = await live()
  opened.video.changeSettings({ camera: 'desk', mode: 'motion', sharesSound: false })
  const other = new FakeTrack()
  opened.cameras[1]?.resolve(other.track)
  await setImmediate()
  assert.deepEqual([camera.isOpen, opened.sent.camera], [false, other.track])
  const again = open({ kept: opened.storage })
  assert.deepEqual(again.view().settings, { camera: 'desk', mode: 'motion', sharesSound: false })
})

/** The part of a track that the tests need. */
class FakeTrack extends EventTarget {
  isOpen = true

  get track(): MediaStreamTrack {
    return Object(this)
  }

  stop(): void {
    this.isOpen = false
  }

  end(): void {
    this.isOpen = false
    this.dispatchEvent(new Event('ended'))
  }
}

const connected: VoiceStatus = {
  phase: 'connected',
  place: { space_id: 'space', room_id: 'lounge', conversation_id: null },
  sessionId: 'first',
  reason: undefined,
  selfMute: false,
  selfDeaf: false,
  selfVideo: false,
  selfStream: false,
  hasVideo: true,
  speaking: new Set(),
}

interface Given {
  kept?: Map<string, string>
  volumes?: Record<string, number>
  /** False while the code of voice loads. */
  isLoaded?: boolean
}

/** A control in a room, whose camera and screen open when the test resolves them. */
function open({ kept: storage = new Map(), volumes = {}, isLoaded = true }: Given = {}) {
  const cameras: PromiseWithResolvers<MediaStreamTrack>[] = []
  const screens: PromiseWithResolvers<CapturedScreen>[] = []
  const loudness: unknown[] = []
  const asked: boolean[] = []
  const line = fakeLine()
  const api = createStore(() => ({
    status: connected,
    microphone: 'open' as const,
    isTalking: false,
    settings: usualSettings,
    volumes,
    quality: undefined,
  }))
  const video = new VideoControl({
    control: { api },
    loudspeaker: {
      wake: () => undefined,
      play: () => undefined,
      setVolumes: (given) => loudness.push(given),
      setOutput: () => undefined,
    },
    openCamera: () => pending(cameras),
    openScreen: ({ sharesSound }) => {
      asked.push(sharesSound)
      return pending(screens)
    },
    storage: {
      getItem: (key) => storage.get(key) ?? null,
      setItem: (key, value) => void storage.set(key, value),
    },
  })
  if (isLoaded) video.attach(line.line)
  const report = (change: Partial<VoiceStatus>) =>
    api.setState({ status: { ...api.getState().status, ...change } })
  return {
    ...line,
    video,
    cameras,
    screens,
    storage,
    volumes: loudness,
    /** For each screen that was opened, whether with its sound. */
    asked,
    report,
    view: () => video.api.getState(),
  }
}

function pending<T>(asked: PromiseWithResolvers<T>[]): Promise<T> {
  const next = Promise.withResolvers<T>()
  asked.push(next)
  return next.promise
}

/** The SDK's voice, as far as pictures are concerned. */
function fakeLine() {
  const sent: Record<string, MediaStreamTrack | null> = { camera: null, screen: null, sound: null }
  const watched: string[][] = []
  let refuse: (refusal: PictureRefusal) => void = () => undefined
  const line: VideoLine = {
    setCamera: (track) => {
      sent.camera = track
    },
    setScreen: (video, audio = null) => {
      sent.screen = video
      sent.sound = audio
    },
    watch: (list: readonly WatchedPicture[]) =>
      void watched.push(list.map(({ user_id, source }) => `${source} ${user_id}`)),
    onPictures: () => () => undefined,
    onScreenSounds: () => () => undefined,
    onPictureRefused: (listener) => {
      refuse = listener
      return () => undefined
    },
  }
  return { line, sent, watched, refuse: (refusal: PictureRefusal) => refuse(refusal) }
}

/** A control that sends a camera and a screen with sound. */
async function live() {
  const opened = open()
  const [camera, video, audio] = [new FakeTrack(), new FakeTrack(), new FakeTrack()]
  const turning = opened.video.toggleCamera()
  opened.cameras[0]?.resolve(camera.track)
  await turning
  const sharing = opened.video.shareScreen(true)
  opened.screens[0]?.resolve({ video: video.track, audio: audio.track })
  await sharing
  return { opened, camera, video, audio }
}
