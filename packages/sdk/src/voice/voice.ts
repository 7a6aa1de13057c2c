import type { VoiceGrant, WatchedPicture } from '@foyer/protocol/voice'
import { Listeners } from '../listeners.ts'
import type { BrowserDriver } from './browser-driver.ts'
import type { CallNumbers, NumbersMeter } from './call-numbers.ts'
import { VoiceConnection } from './connection.ts'
import type { DriverEvents } from './driver.ts'
import { LiveKitDriver } from './livekit-driver.ts'
import type { LiveKitModule } from './livekit-options.ts'
import { PictureExchange } from './picture-exchange.ts'
import type { ReceivedPicture, ReceivedPictures } from './pictures.ts'
import { type Peer, SlotsDriver } from './slots-driver.ts'
import type { PictureRefusal, VoiceQuality, VoiceSelf, VoiceStatus, VoiceTarget } from './status.ts'
import type { VoiceStream } from './stream.ts'
import type { VoiceGateway } from './voice-commands.ts'
import { usualVoiceTimings, type VoiceTimings } from './voice-timings.ts'

export interface VoiceDeps {
  gateway: VoiceGateway
  /** `() => import('livekit-client')`. Loaded on demand, because it is large and few servers use it. */
  loadLiveKit?: () => Promise<LiveKitModule>
  /** Required outside browsers, where RTCPeerConnection does not exist. */
  openPeer?: (configuration: RTCConfiguration) => Peer
  timings?: Partial<VoiceTimings>
}

/** A client's voice, in one room or call at a time. It reconnects by itself. */
export class Voice {
  readonly #deps: VoiceDeps
  readonly #timings: VoiceTimings
  readonly #connection: VoiceConnection<BrowserDriver>
  readonly #ends: (() => void)[] = []
  readonly #streamListeners = new Listeners<[streams: readonly VoiceStream[]]>()
  readonly #pictures: PictureExchange
  #streams: readonly VoiceStream[] = []
  #microphone: MediaStreamTrack | null = null
  #lastStreams: readonly VoiceStream[] = []
  #numbersMeter: NumbersMeter | undefined

  constructor(deps: VoiceDeps) {
    this.#deps = deps
    this.#timings = { ...usualVoiceTimings, ...deps.timings }
    this.#connection = new VoiceConnection({
      gateway: deps.gateway,
      timings: this.#timings,
      open: (grant, events) => this.#open(grant, events),
    })
    this.#pictures = new PictureExchange(this.#connection, this.#timings.watchIntervalMs)
    this.#connection.onStatus(({ phase }) => {
      if (phase !== 'connected') this.#setStreams([])
    })
    this.#ends.push(deps.gateway.onError((error) => this.#pictures.takeRefusal(error)))
    // The watch list may have been lost while the gateway was disconnected.
    for (const name of ['READY', 'RESUMED'] as const)
      this.#ends.push(deps.gateway.on(name, () => this.#pictures.watchAgain()))
  }

  get status(): VoiceStatus {
    return this.#connection.status
  }

  /**
   * Joins the channel and leaves the current one. Resolves when media flows. Joining the current channel again only updates
   * the flags.
   * @throws VoiceError with the reason, which is also in the status
   */
  join(place: VoiceTarget, self: VoiceSelf = {}): Promise<void> {
    const joined = this.#connection.join(place, self)
    this.#gate()
    return joined
  }

  leave(): void {
    this.#connection.leave()
  }

  /**
   * Mutes or deafens the user, also after switching channels. The client enforces both itself: it sends nothing while muted
   * and plays nothing while deafened.
   */
  setSelf(self: VoiceSelf): void {
    this.#connection.setSelf(self)
    this.#gate()
  }

  /** Sets the track to send in all channels; null only listens. The caller owns the track and must stop it. */
  async setMicrophone(track: MediaStreamTrack | null): Promise<void> {
    this.#microphone = track
    await this.#connection.driver?.send(this.#sent)
  }

  /**
   * Sends a camera; null ends it. The camera is sent once the server has announced it, and again after a lost
   * connection. It ends when the user leaves, or when the server ends it: see `onPictureRefused`. The caller owns the
   * track and must stop it.
   */
  setCamera(track: MediaStreamTrack | null): void {
    this.#pictures.setCamera(track)
  }

  /**
   * Sends a screen and its sound, as `setCamera` sends a camera.
   * @param video the track; its content hint decides what is preserved on a slow connection: the frame rate for
   * `motion`, the resolution for `text` or `detail`
   */
  setScreen(video: MediaStreamTrack | null, audio: MediaStreamTrack | null = null): void {
    this.#pictures.setScreen(video, audio)
  }

  /**
   * Chooses the pictures to receive, the most important first, replacing the earlier choice. Other pictures are not
   * sent. A screen is received with its sound. The list may contain users who send nothing yet.
   */
  watch(watched: readonly WatchedPicture[]): void {
    this.#pictures.watch(watched)
  }

  /** Calls the listener with all received pictures whenever one starts or ends. @returns a function that removes the listener */
  onPictures(listener: (pictures: readonly ReceivedPicture[]) => void): () => void {
    return this.#pictures.onPictures(listener)
  }

  /** Calls the listener with the sounds of all watched screens. @returns a function that removes the listener */
  onScreenSounds(listener: (sounds: readonly VoiceStream[]) => void): () => void {
    return this.#pictures.onSounds(listener)
  }

  /** Calls the listener when the server ends or refuses the user's camera or screen. @returns a function that removes the listener */
  onPictureRefused(listener: (refusal: PictureRefusal) => void): () => void {
    return this.#connection.flags.onRefusal(listener)
  }

  /** Reconnects at once. Call it after a network change, instead of waiting for the old connection to time out. */
  reconnectNow(): void {
    this.#connection.renew()
  }

  /** Calls the listener with every new status. @returns a function that removes the listener */
  onStatus(listener: (status: VoiceStatus) => void): () => void {
    return this.#connection.onStatus(listener)
  }

  /** Calls the listener with all received streams whenever one starts or ends. @returns a function that removes the listener */
  onStreams(listener: (streams: readonly VoiceStream[]) => void): () => void {
    return this.#streamListeners.add(listener)
  }

  /** Returns the connection's quality since the last call; undefined without a connection. */
  async quality(): Promise<VoiceQuality | undefined> {
    return this.status.phase === 'connected' ? this.#connection.driver?.quality() : undefined
  }

  /** Returns the figures of all pictures since the last call, and the path of the media; undefined without a connection. */
  async numbers(): Promise<CallNumbers | undefined> {
    const { driver } = this.#connection
    const report = this.status.phase === 'connected' ? await driver?.stats() : undefined
    if (report === undefined) return undefined
    const { NumbersMeter } = await import('./call-numbers.ts')
    this.#numbersMeter ??= new NumbersMeter()
    return this.#numbersMeter.measure(report, this.#pictures.known)
  }

  /** Leaves and stops listening to the gateway. */
  close(): void {
    for (const end of this.#ends) end()
    this.#pictures.close()
    this.#connection.close()
  }

  #open(grant: VoiceGrant, events: DriverEvents): BrowserDriver {
    const driverEvents = {
      streams: (streams: readonly VoiceStream[]) => this.#setStreams(streams),
      pictures: (received: ReceivedPictures) => this.#pictures.take(received),
      speaking: (userIds: readonly string[]) => this.#connection.setSpeaking(userIds),
    }
    const { interruptionMs } = this.#timings
    const given = { track: this.#sent, events: { ...events, ...driverEvents } }
    if (grant.driver === 'slots') {
      const { openPeer = (configuration) => new RTCPeerConnection(configuration) } = this.#deps
      return new SlotsDriver({
        ...given,
        iceServers: grant.ice_servers,
        slots: grant.slots,
        // Servers without support for video do not send this field.
        video: grant.video ?? null,
        openPeer,
        interruptionMs,
      })
    }
    const { loadLiveKit: load } = this.#deps
    if (load === undefined) throw new Error('loadLiveKit is required for a server that uses LiveKit')
    const driver = new LiveKitDriver({ ...given, url: grant.url, token: grant.token, load })
    driver.setDeaf(this.status.selfDeaf)
    return driver
  }

  /** Stops sending while muted, and receiving while deafened, before the server has been notified. */
  #gate(): void {
    // Fails only on a connection that is ending.
    this.#connection.driver?.send(this.#sent).catch(() => undefined)
    this.#connection.driver?.setDeaf(this.status.selfDeaf)
    this.#notifyStreams()
    this.#pictures.notify()
  }

  get #sent(): MediaStreamTrack | null {
    const { selfMute, selfDeaf } = this.status
    return selfMute || selfDeaf ? null : this.#microphone
  }

  #setStreams(streams: readonly VoiceStream[]): void {
    this.#streams = streams
    this.#notifyStreams()
  }

  #notifyStreams(): void {
    const received = this.status.selfDeaf ? [] : this.#streams
    if (received.length === 0 && this.#lastStreams.length === 0) return
    this.#lastStreams = received
    this.#streamListeners.notify(received)
  }
}
