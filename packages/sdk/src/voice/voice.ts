import type { VoiceGrant } from '@foyer/protocol/voice'
import { Listeners } from '../listeners.ts'
import type { BrowserDriver } from './browser-driver.ts'
import { VoiceConnection } from './connection.ts'
import type { DriverEvents } from './driver.ts'
import { LiveKitDriver } from './livekit-driver.ts'
import type { LiveKitModule } from './livekit-options.ts'
import { type Peer, SlotsDriver } from './slots-driver.ts'
import type { VoiceQuality, VoiceSelf, VoiceStatus, VoiceTarget } from './status.ts'
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
  readonly #streamListeners = new Listeners<[streams: readonly VoiceStream[]]>()
  #streams: readonly VoiceStream[] = []
  #microphone: MediaStreamTrack | null = null
  #lastStreams: readonly VoiceStream[] = []

  constructor(deps: VoiceDeps) {
    this.#deps = deps
    this.#timings = { ...usualVoiceTimings, ...deps.timings }
    this.#connection = new VoiceConnection({
      gateway: deps.gateway,
      timings: this.#timings,
      open: (grant, events) => this.#open(grant, events),
    })
    this.#connection.onStatus(({ phase }) => {
      if (phase !== 'connected') this.#setStreams([])
    })
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
   * Kept when switching channels. The client enforces both flags itself: it sends nothing while muted and plays nothing
   * while deafened.
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

  /** Reconnects immediately. Call it after a network change, instead of waiting for the old connection to time out. */
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

  /** Leaves and stops listening to the gateway. */
  close(): void {
    this.#connection.close()
  }

  #open(grant: VoiceGrant, events: DriverEvents): BrowserDriver {
    const driverEvents = {
      streams: (streams: readonly VoiceStream[]) => this.#setStreams(streams),
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
        openPeer,
        interruptionMs,
      })
    }
    const { loadLiveKit: load } = this.#deps
    if (load === undefined) throw new Error('loadLiveKit is required for a server that uses LiveKit')
    return new LiveKitDriver({ ...given, url: grant.url, token: grant.token, load })
  }

  /** Stops sending while muted, and receiving while deafened, before the server has been notified. */
  #gate(): void {
    // Fails only on a connection that is ending.
    this.#connection.driver?.send(this.#sent).catch(() => undefined)
    this.#notifyStreams()
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
