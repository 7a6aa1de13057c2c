import { VIDEO_SLOTS, type WatchedPicture } from '@foyer/protocol/voice'
import type { CallNumbers } from '@foyer/sdk/voice/call-numbers'
import type { ReceivedPicture } from '@foyer/sdk/voice/pictures'
import type { PictureRefusal } from '@foyer/sdk/voice/status'
import type { VoiceStream } from '@foyer/sdk/voice/stream'
import type { Voice } from '@foyer/sdk/voice/voice'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Loudspeaker } from '../control/loudspeaker.ts'
import type { VoiceControl, VoiceView } from '../control/voice-control.ts'
import type { Volumes } from '../control/volumes.ts'
import { isInVoice, voiceChannelId } from '../phases.ts'
import {
  type CapturedScreen,
  cameraTrouble,
  refusalTrouble,
  screenTrouble,
  type VideoTrouble,
} from './capture.ts'
import { LostStreams, type StreamState } from './lost-streams.ts'
import { NO_PICTURE, OwnPicture, type OwnPictureView } from './own-picture.ts'
import { ShownHeights } from './shown-heights.ts'
import { volumesOfStreams } from './stream-volume.ts'
import { keepVideoSettings, readVideoSettings, type VideoSettings } from './video-settings.ts'
import { watchList } from './watch-list.ts'

/** Delays until all tiles of a page have come into sight, and until a window has reached its new size. */
const SETTLE_MS = 30
const RESIZE_MS = 150

/** Cameras and screens of the room or call this browser is in, for the components. */
export interface VideoView {
  readonly camera: OwnPictureView
  readonly screen: OwnPictureView
  readonly trouble: VideoTrouble | null
  /** The pictures received from other users. */
  readonly pictures: readonly ReceivedPicture[]
  /** Users whose streams are watched. */
  readonly streams: readonly string[]
  /** True if the user's screen is sent with its sound. */
  readonly sharesSound: boolean
  /** Watched streams that have sound. */
  readonly sounds: readonly VoiceStream[]
  /** User whose picture the signed-in user has chosen to keep large. */
  readonly pinned: string | null
  /** The last user who spoke, not counting the signed-in one. */
  readonly speaker: string | null
  /** True while the dialog to share a screen is open. */
  readonly isChoosing: boolean
  readonly settings: VideoSettings
}

/** The part of the SDK's voice that is used here. */
export type VideoLine = Pick<
  Voice,
  'setCamera' | 'setScreen' | 'watch' | 'numbers' | 'onPictures' | 'onScreenSounds' | 'onPictureRefused'
>

export interface VideoParts {
  readonly control: Pick<VoiceControl, 'api'>
  readonly loudspeaker: Pick<Loudspeaker, 'wake' | 'play' | 'setVolumes' | 'setOutput'>
  readonly openCamera: (settings: VideoSettings) => Promise<MediaStreamTrack>
  readonly openScreen: (settings: VideoSettings) => Promise<CapturedScreen>
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
}

/** Controls the cameras and screens of the room or call this browser is in. */
export class VideoControl {
  readonly api: StoreApi<VideoView>
  readonly #parts: VideoParts
  readonly #camera: OwnPicture<MediaStreamTrack>
  readonly #screen: OwnPicture<CapturedScreen>
  #line: VideoLine | undefined
  /** True once `#line` has received the camera, screen and watch list that were set before its code had loaded. */
  #isCaughtUp = false
  #channelId: string | undefined
  readonly #shown = new ShownHeights()
  readonly #lost = new LostStreams()
  #watching: ReturnType<typeof setTimeout> | undefined
  #volumes: Volumes = {}
  #output = ''

  constructor(parts: VideoParts) {
    this.#parts = parts
    const settings = readVideoSettings(parts.storage)
    this.api = createStore<VideoView>(() => ({
      camera: NO_PICTURE,
      screen: NO_PICTURE,
      trouble: null,
      pictures: [],
      streams: [],
      sharesSound: false,
      sounds: [],
      pinned: null,
      speaker: null,
      isChoosing: false,
      settings,
    }))
    this.#camera = new OwnPicture({
      tracksOf: (track) => [track],
      show: (camera) => this.api.setState({ camera }),
      send: (track) => this.#line?.setCamera(track),
      onLost: () => this.api.setState({ trouble: 'camera_lost' }),
    })
    this.#screen = new OwnPicture({
      tracksOf: ({ video, audio }) => (audio === null ? [video] : [video, audio]),
      show: (screen) => this.api.setState({ screen }),
      send: (screen) => this.#sendScreen(screen),
      // Shows no trouble: the user ended the sharing in the browser's own bar, or closed the shared window.
      onLost: () => undefined,
    })
    this.#follow(parts.control.api.getState())
    parts.control.api.subscribe((view) => this.#follow(view))
  }

  /** Connects the SDK's voice, which is created by the first join. */
  attach(line: VideoLine): void {
    this.#line = line
    line.onPictures((pictures) => this.api.setState({ pictures }))
    line.onScreenSounds((sounds) => {
      this.api.setState({ sounds })
      this.#parts.loudspeaker.play(sounds)
    })
    line.onPictureRefused((refusal) => this.#heedRefusal(refusal))
  }

  /** Starts playback that the browser refused before. Call this while handling a click or key press. */
  wake(): void {
    if (this.api.getState().sounds.length > 0) this.#parts.loudspeaker.wake()
  }

  async toggleCamera(): Promise<void> {
    if (this.#camera.isOn) return this.#camera.stop()
    this.dismissTrouble()
    await this.#openCamera()
  }

  /** Opens the dialog to share a screen, or ends the sharing. */
  toggleScreen(): void {
    if (this.#screen.isOn) this.#screen.stop()
    else this.api.setState({ isChoosing: true, trouble: null })
  }

  closeChoice(): void {
    this.api.setState({ isChoosing: false })
  }

  /**
   * Shares what the user chooses in the browser's own dialog. Call this while handling a click.
   * @param maySpeak false leaves out the sound, which nobody would hear
   */
  async shareScreen(maySpeak: boolean): Promise<void> {
    const { settings } = this.api.getState()
    const sharesSound = settings.sharesSound && maySpeak
    await this.#screen.start(
      () => this.#parts.openScreen({ ...settings, sharesSound }),
      (error) => this.api.setState({ trouble: screenTrouble(error) }),
    )
    this.closeChoice()
  }

  changeSettings(change: Partial<VideoSettings>): void {
    const settings = { ...this.api.getState().settings, ...change }
    this.api.setState({ settings })
    keepVideoSettings(this.#parts.storage, settings)
    if (change.camera !== undefined && this.#camera.isOn) void this.#openCamera()
  }

  dismissTrouble(): void {
    this.api.setState({ trouble: null })
  }

  /** Call this while handling a click, so that the sound may play. */
  watchStream(userId: string): void {
    const { streams } = this.api.getState()
    this.#parts.loudspeaker.wake()
    if (!streams.includes(userId)) this.#setStreams([...streams, userId])
  }

  stopWatching(userId: string): void {
    this.#setStreams(this.api.getState().streams.filter((id) => id !== userId))
  }

  /** Forgets streams that have ended. @param voices all users in the room or call */
  keepStreams(voices: readonly StreamState[]): void {
    const { streams } = this.api.getState()
    const kept = this.#lost.kept(streams, voices, Date.now())
    if (kept.length < streams.length) this.#setStreams(kept)
  }

  /**
   * Sets the height at which one view shows a picture, in device pixels: 0 while it is hidden.
   * @param height null if the view no longer exists
   */
  show(picture: Pick<WatchedPicture, 'user_id' | 'source'>, place: object, height: number | null): void {
    const change = this.#shown.set(picture, place, height)
    if (change !== 'none') this.#watchSoon(change === 'size' ? RESIZE_MS : SETTLE_MS)
  }

  /** Keeps the picture of a user large. After null, the large picture is chosen automatically again. */
  pin(pinned: string | null): void {
    this.api.setState({ pinned })
    if (pinned !== null) this.changeSettings({ layout: 'speaker' })
  }

  setSpeaker(speaker: string | null): void {
    this.api.setState({ speaker })
  }

  /** Measures the connection and all pictures; undefined without a connection. */
  async numbers(): Promise<CallNumbers | undefined> {
    return this.#line?.numbers().catch(() => undefined)
  }

  #setStreams(streams: readonly string[]): void {
    this.api.setState({ streams })
    this.#watch()
  }

  /** Updates the watch list after a delay, because all tiles of a page come into sight at once. */
  #watchSoon(delayMs: number): void {
    if (delayMs === SETTLE_MS) clearTimeout(this.#watching)
    if (delayMs === SETTLE_MS) this.#watching = undefined
    this.#watching ??= setTimeout(() => this.#watch(), delayMs)
  }

  #watch(): void {
    clearTimeout(this.#watching)
    this.#watching = undefined
    const { speaking } = this.#parts.control.api.getState().status
    const { streams } = this.api.getState()
    const { cameras } = this.#shown
    this.#line?.watch(
      watchList({ streams, cameras, speaking, heightOf: (picture) => this.#shown.of(picture) }),
    )
  }

  #sendScreen(screen: CapturedScreen | null): void {
    const { video = null, audio = null } = screen ?? {}
    this.api.setState({ sharesSound: audio !== null })
    this.#line?.setScreen(video, audio)
  }

  async #openCamera(): Promise<void> {
    const { settings } = this.api.getState()
    await this.#camera.start(
      () => this.#parts.openCamera(settings),
      (error) => this.api.setState({ trouble: cameraTrouble(error) }),
    )
  }

  #heedRefusal({ source, code }: PictureRefusal): void {
    const picture = source === 'camera' ? this.#camera : this.#screen
    picture.stop()
    this.api.setState({ trouble: refusalTrouble(source, code) })
  }

  /** Follows voice: ends the camera, the screen and watched streams when the user leaves or changes the room or call. */
  #follow({ status, settings, volumes }: VoiceView): void {
    this.#tuneLoudspeaker(volumes, settings.output)
    const channelId = isInVoice(status) ? voiceChannelId(status) : undefined
    if (channelId !== this.#channelId) this.#end()
    this.#channelId = channelId
    if (channelId !== undefined) this.#catchUp()
    if (channelId !== undefined && this.#shown.cameras.length > VIDEO_SLOTS) this.#watchSoon(SETTLE_MS)
  }

  /** Sends pictures opened before `#line` had loaded. Called in a room or call, because elsewhere `#line` takes no pictures. */
  #catchUp(): void {
    if (this.#line === undefined || this.#isCaughtUp) return
    this.#isCaughtUp = true
    this.#camera.sendAgain()
    this.#screen.sendAgain()
    if (this.#shown.cameras.length + this.api.getState().streams.length > 0) this.#watch()
  }

  /** Adjusts the loudspeaker on a change of volumes or output. The view also changes whenever a user starts to speak. */
  #tuneLoudspeaker(volumes: Volumes, output: string): void {
    const { loudspeaker } = this.#parts
    if (this.#volumes !== volumes) loudspeaker.setVolumes(volumesOfStreams(volumes))
    if (this.#output !== output) loudspeaker.setOutput(output)
    this.#volumes = volumes
    this.#output = output
  }

  #end(): void {
    this.#camera.stop()
    this.#screen.stop()
    this.#shown.clear()
    this.#parts.loudspeaker.play([])
    this.api.setState({
      trouble: null,
      pictures: [],
      streams: [],
      sounds: [],
      pinned: null,
      speaker: null,
      isChoosing: false,
    })
  }
}
