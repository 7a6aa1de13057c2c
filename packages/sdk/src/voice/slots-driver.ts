import type { IceServer, VoiceSlot } from '@foyer/protocol/voice'
import { withOpusOptions } from './answer.ts'
import type { BrowserDriver, BrowserDriverEvents } from './browser-driver.ts'
import type { DriverEvents } from './driver.ts'
import type { QualityMeter, StatsReport } from './quality.ts'
import type { VoiceQuality } from './status.ts'

interface Sender {
  replaceTrack(track: MediaStreamTrack | null): Promise<void>
}

/** The part of an RTCPeerConnection in use. */
export interface Peer {
  readonly connectionState: RTCPeerConnectionState
  readonly localDescription: { readonly sdp: string } | null
  addEventListener(name: 'connectionstatechange', listener: () => void): void
  addTransceiver(
    track: MediaStreamTrack | 'audio',
    init: { direction: 'sendonly' | 'recvonly' },
  ): { readonly sender: Sender; readonly receiver: { readonly track: MediaStreamTrack } }
  createOffer(): Promise<RTCSessionDescriptionInit>
  setLocalDescription(offer: RTCSessionDescriptionInit): Promise<void>
  setRemoteDescription(answer: { type: 'answer'; sdp: string }): Promise<void>
  getStats(): Promise<StatsReport>
  close(): void
}

export interface SlotsOptions {
  readonly iceServers: readonly IceServer[]
  readonly slots: number
  readonly track: MediaStreamTrack | null
  readonly openPeer: (configuration: RTCConfiguration) => Peer
  readonly interruptionMs: number
  readonly events: DriverEvents & BrowserDriverEvents
}

/**
 * Connects with one offer and one answer: one track to send, and a fixed number of receive slots. The server assigns
 * the slots to the users who speak.
 */
export class SlotsDriver implements BrowserDriver {
  readonly mendsItself = false
  readonly #events: SlotsOptions['events']
  readonly #peer: Peer
  readonly #sender: Sender
  readonly #interruptionMs: number
  readonly #received: readonly MediaStreamTrack[]
  readonly #speakers = new Map<number, string>()
  #meter: QualityMeter | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor({ iceServers, slots, track, openPeer, interruptionMs, events }: SlotsOptions) {
    this.#events = events
    this.#interruptionMs = interruptionMs
    this.#peer = openPeer({ iceServers: [...iceServers], bundlePolicy: 'max-bundle' })
    this.#peer.addEventListener('connectionstatechange', () => this.#handleState())
    // Listeners offer a track, too, so that adding a microphone later needs no new offer.
    this.#sender = this.#peer.addTransceiver(track ?? 'audio', { direction: 'sendonly' }).sender
    this.#received = Array.from({ length: slots }, () => {
      return this.#peer.addTransceiver('audio', { direction: 'recvonly' }).receiver.track
    })
    this.#offer().catch(() => this.#lose())
  }

  takeAnswer(sdp: string): void {
    const answer = { type: 'answer', sdp: withOpusOptions(sdp) } as const
    this.#peer.setRemoteDescription(answer).catch(() => this.#lose())
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

  async send(track: MediaStreamTrack | null): Promise<void> {
    if (!this.#isClosed) await this.#sender.replaceTrack(track)
  }

  async quality(): Promise<VoiceQuality | undefined> {
    if (this.#isClosed) return undefined
    const { QualityMeter } = await import('./quality.ts')
    this.#meter ??= new QualityMeter()
    return this.#meter.measure(await this.#peer.getStats())
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#peer.close()
    for (const track of this.#received) track.stop()
  }

  /** Does not wait for candidates. The client connects to the server, which never uses the client's candidates. */
  async #offer(): Promise<void> {
    await this.#peer.setLocalDescription(await this.#peer.createOffer())
    const sdp = this.#peer.localDescription?.sdp
    if (sdp !== undefined && !this.#isClosed) this.#events.offer(sdp)
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
