import type {
  IceServer,
  PictureCodec,
  PictureSlot,
  ScreenSoundSlot,
  VoiceSlot,
  WatchedPicture,
} from '@foyer/protocol/voice'
import { withOpusOptions } from './answer.ts'
import type { BrowserDriver, BrowserDriverEvents } from './browser-driver.ts'
import type { DriverEvents } from './driver.ts'
import { withOwnCodecs } from './own-codecs.ts'
import { type LineOpener, PictureLines, type Sender } from './picture-lines.ts'
import type { SentPictures } from './pictures.ts'
import type { QualityMeter } from './quality.ts'
import type { StatsReport } from './stats.ts'
import type { VoiceQuality } from './status.ts'

/** The part of an RTCPeerConnection in use. */
export interface Peer extends LineOpener {
  readonly connectionState: RTCPeerConnectionState
  readonly localDescription: { readonly sdp: string } | null
  addEventListener(name: 'connectionstatechange', listener: () => void): void
  createOffer(): Promise<RTCSessionDescriptionInit>
  setLocalDescription(offer: RTCSessionDescriptionInit): Promise<void>
  setRemoteDescription(answer: { type: 'answer'; sdp: string }): Promise<void>
  getStats(): Promise<StatsReport>
  close(): void
}

export interface SlotsOptions {
  readonly iceServers: readonly IceServer[]
  readonly slots: number
  /** Numbers of m-lines for pictures; null if the server carries no pictures. */
  readonly video: { slots: number; sounds: number } | null
  readonly track: MediaStreamTrack | null
  readonly openPeer: (configuration: RTCConfiguration) => Peer
  readonly interruptionMs: number
  readonly events: DriverEvents & BrowserDriverEvents
}

/**
 * Connects with one offer and one answer: the microphone, a fixed number of receive slots, and m-lines for pictures.
 * The server assigns the audio slots to users who speak, and the picture slots to watched pictures.
 */
export class SlotsDriver implements BrowserDriver {
  readonly mendsItself = false
  readonly #events: SlotsOptions['events']
  readonly #peer: Peer
  readonly #sender: Pick<Sender, 'replaceTrack'>
  readonly #lines: PictureLines | undefined
  readonly #interruptionMs: number
  readonly #received: readonly MediaStreamTrack[]
  readonly #speakers = new Map<number, string>()
  #watched: readonly WatchedPicture[] = []
  /** True once anything was watched. Before that, an empty list need not be sent. */
  #hasWatched = false
  #isAnswered = false
  #meter: QualityMeter | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor({ iceServers, slots, video, track, openPeer, interruptionMs, events }: SlotsOptions) {
    this.#events = events
    this.#interruptionMs = interruptionMs
    this.#peer = openPeer({ iceServers: [...iceServers], bundlePolicy: 'max-bundle' })
    this.#peer.addEventListener('connectionstatechange', () => this.#handleState())
    // A microphone m-line is always offered, so that adding a microphone later needs no new offer.
    this.#sender = this.#peer.addTransceiver(track ?? 'audio', { direction: 'sendonly' }).sender
    this.#received = Array.from({ length: slots }, () => {
      return this.#peer.addTransceiver('audio', { direction: 'recvonly' }).receiver.track
    })
    this.#lines = video === null ? undefined : new PictureLines(this.#peer, video)
    this.#offer().catch(() => this.#lose())
  }

  get hasVideo(): boolean {
    return this.#lines !== undefined
  }

  takeAnswer(sdp: string): void {
    const answer = { type: 'answer', sdp: withOpusOptions(sdp) } as const
    this.#peer
      .setRemoteDescription(answer)
      .then(() => this.#lines?.reshape())
      .catch(() => this.#lose())
    this.#isAnswered = true
    this.watch(this.#watched)
  }

  takeSlots(slots: readonly VoiceSlot[]): void {
    for (const { slot, user_id } of slots) {
      if (user_id === null) this.#speakers.delete(slot)
      else this.#speakers.set(slot, user_id)
    }
    const streams = [...this.#speakers].flatMap(([slot, user_id]) => {
      const track = this.#received[slot]
      return track === undefined ? [] : [{ user_id, track }]
    })
    this.#events.streams(streams)
  }

  takePictures(pictures: readonly PictureSlot[], sounds: readonly ScreenSoundSlot[]): void {
    if (this.#lines === undefined) return
    this.#lines.take(pictures, sounds)
    this.#events.pictures(this.#lines.received)
  }

  takeCodecs(codecs: readonly PictureCodec[]): void {
    this.#lines?.takeCodecs(codecs).catch(() => undefined)
  }

  async sendPictures(sent: SentPictures): Promise<void> {
    if (!this.#isClosed) await this.#lines?.send(sent)
  }

  /** Sends the watch list, but not before the answer: until then the server cannot send pictures. */
  watch(watched: readonly WatchedPicture[]): void {
    this.#watched = watched
    this.#hasWatched ||= watched.length > 0
    if (this.#hasWatched && this.#isAnswered && this.hasVideo) this.#events.watch(watched)
  }

  /** Does nothing, because the server stops the sound to a deafened user. */
  setDeaf(): void {}

  async send(track: MediaStreamTrack | null): Promise<void> {
    if (!this.#isClosed) await this.#sender.replaceTrack(track)
  }

  async quality(): Promise<VoiceQuality | undefined> {
    if (this.#isClosed) return undefined
    const { QualityMeter } = await import('./quality.ts')
    this.#meter ??= new QualityMeter()
    return this.#meter.measure(await this.#peer.getStats())
  }

  async stats(): Promise<StatsReport | undefined> {
    return this.#isClosed ? undefined : this.#peer.getStats()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#peer.close()
    for (const track of this.#received) track.stop()
    this.#lines?.close()
  }

  /** Sends the offer without waiting for ICE candidates: the server never uses the client's candidates. */
  async #offer(): Promise<void> {
    await this.#peer.setLocalDescription(await this.#peer.createOffer())
    const sdp = this.#peer.localDescription?.sdp
    if (sdp !== undefined && !this.#isClosed) this.#events.offer(withOwnCodecs(sdp))
  }

  #handleState(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    const { connectionState } = this.#peer
    if (connectionState === 'connected') this.#events.up()
    if (connectionState === 'failed') this.#lose()
    if (connectionState === 'disconnected') this.#timer = setTimeout(() => this.#lose(), this.#interruptionMs)
  }

  #lose(): void {
    if (!this.#isClosed) this.#events.lost()
  }
}
