import type { WatchedPicture } from '@foyer/protocol/voice'
import type { PictureRefusal, VoiceStatus } from '@foyer/sdk/voice/status'
import { createStore } from 'zustand/vanilla'
import { usualSettings } from '../src/voice/control/voice-settings.ts'
import type { CapturedScreen } from '../src/voice/video/capture.ts'
import { VideoControl, type VideoLine } from '../src/voice/video/video-control.ts'

/** The part of a track that the tests need. */
export class FakeTrack extends EventTarget {
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
  /** False as long as the voice code has not loaded. */
  isLoaded?: boolean
}

/** A control in a room, whose camera and screen open when the test resolves them. */
export function open({ kept: storage = new Map(), volumes = {}, isLoaded = true }: Given = {}) {
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
    /** One value per opened screen: true if its sound was requested. */
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

export function cameraOf(user_id: string) {
  return { user_id, source: 'camera' as const }
}

/** A fake of the SDK's voice that handles only cameras and screens. */
function fakeLine() {
  const sent: Record<string, MediaStreamTrack | null> = { camera: null, screen: null, sound: null }
  const watched: string[][] = []
  const heights: (number | undefined)[][] = []
  let refuse: (refusal: PictureRefusal) => void = () => undefined
  const line: VideoLine = {
    setCamera: (track) => {
      sent.camera = track
    },
    setScreen: (video, audio = null) => {
      sent.screen = video
      sent.sound = audio
    },
    watch: (list: readonly WatchedPicture[]) => {
      watched.push(list.map(({ user_id, source }) => `${source} ${user_id}`))
      heights.push(list.map(({ height }) => height))
    },
    numbers: async () => undefined,
    onPictures: () => () => undefined,
    onScreenSounds: () => () => undefined,
    onPictureRefused: (listener) => {
      refuse = listener
      return () => undefined
    },
  }
  return { line, sent, watched, heights, refuse: (refusal: PictureRefusal) => refuse(refusal) }
}

/** A control that sends a camera and a screen with sound. */
export async function live() {
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
