import type {
  IceServer,
  PictureSlot,
  ScreenSoundSlot,
  VoiceSlot,
  WatchedPicture,
} from '@foyer/protocol/voice'
import type { PeerConnection, Track } from 'node-datachannel'
import {
  type GrantedLines,
  linesOf,
  nativeAnswerOf,
  offerOf,
  type Slot,
  slotStreamsOf,
} from './bundled-sdp.ts'
import type { DriverEvents, MediaDriver } from './driver.ts'
import { nativeIceServers } from './native-ice-servers.ts'
import type { OwnSources } from './own-sources.ts'
import { PictureStreams, type UserPicture } from './picture-streams.ts'
import { readFeedback, type SentStream, writeReceiverReport, writeSenderReport } from './rtcp.ts'
import { isRtcp, OPUS_PAYLOAD_TYPE, type RtpPacket, readRtp, VP8_PAYLOAD_TYPE, writeRtp } from './rtp.ts'
import type { Vp8Frame } from './vp8-receiver.ts'

/** The parts of the library in use. */
export type DataChannelModule = Pick<typeof import('node-datachannel'), 'PeerConnection' | 'Audio'>

export interface DataChannelEvents extends DriverEvents {
  /** A received Opus frame of a voice. The timestamp increases by 48 per millisecond, and wraps at 2³². */
  voice(userId: string, frame: Uint8Array, timestamp: number): void
  /** A received Opus frame of a screen's sound. */
  screenSound(userId: string, frame: Uint8Array, timestamp: number): void
  picture(picture: UserPicture, frame: Vp8Frame): void
  /** All pictures that the server currently sends. */
  pictures(pictures: readonly UserPicture[]): void
  /** Called when packets of the bot's own pictures were lost and must be resent (NACK). */
  missing(ssrc: number, sequences: readonly number[]): void
  keyFrameWanted(ssrc: number): void
}

export interface DataChannelOptions extends GrantedLines {
  readonly module: DataChannelModule
  readonly iceServers: readonly IceServer[]
  readonly own: OwnSources
  /** Returns the state of the bot's own streams, for sender reports (RTCP). */
  readonly sent: (nowMs: number) => readonly SentStream[]
  readonly events: DataChannelEvents
}

const REQUEST_MS = 25
const REPORT_MS = 1000

/** The media of one session in Node, sent and received as RTP packets. */
export class DataChannelDriver implements MediaDriver {
  readonly mendsItself = false
  readonly hasVideo: boolean
  readonly #options: DataChannelOptions
  readonly #events: DataChannelEvents
  readonly #connection: PeerConnection
  readonly #track: Track
  readonly #lines: ReturnType<typeof linesOf>
  readonly #users: Record<'voice' | 'sound', Map<number, string>> = { voice: new Map(), sound: new Map() }
  #slots: ReadonlyMap<number, Slot> = new Map()
  #pictures: PictureStreams | undefined
  #watched: readonly WatchedPicture[] = []
  /** True once anything was watched. Before that, an empty list need not be sent. */
  #hasWatched = false
  #reporting: ReturnType<typeof setInterval> | undefined
  #reportedAt = 0
  #isClosed = false

  constructor(options: DataChannelOptions) {
    const { module, iceServers, own, events } = options
    this.#options = options
    this.#events = events
    this.hasVideo = options.video !== null
    this.#lines = linesOf(options, own)
    this.#connection = new module.PeerConnection('bot', {
      iceServers: iceServers.flatMap(nativeIceServers),
      disableAutoNegotiation: true,
    })
    const audio = new module.Audio('0', 'SendRecv')
    audio.addOpusCodec(OPUS_PAYLOAD_TYPE)
    audio.addSSRC(own.microphone, 'foyer')
    // One track carries all m-lines, as in the server. Further tracks would only cost memory.
    this.#track = this.#connection.addTrack(audio)
    this.#connection.onStateChange((state) => this.#guard(() => this.#handleState(state)))
    // Without a listener for its end, a track keeps the process running and leaks memory.
    this.#track.onClosed(() => undefined)
    this.#track.onMessage((bytes) => this.#guard(() => this.#receive(bytes)))
    this.#connection.setLocalDescription('offer')
    // Deferred, because the caller that opens the driver registers its events only afterwards.
    queueMicrotask(() => this.#guard(() => this.#offer()))
  }

  takeAnswer(sdp: string): void {
    this.#guard(() => {
      this.#slots = slotStreamsOf(sdp, this.#lines)
      const ssrcs = [...this.#slots].flatMap(([ssrc, { use }]) => (use === 'picture' ? [ssrc] : []))
      this.#pictures = new PictureStreams(ssrcs, (...received) => this.#events.picture(...received))
      this.#connection.setRemoteDescription(nativeAnswerOf(sdp), 'answer')
      this.watch(this.#watched)
    })
  }

  takeSlots(slots: readonly VoiceSlot[]): void {
    assign(this.#users.voice, slots)
  }

  /** Does nothing, because VP8 is the only codec of the offer. */
  takeCodecs(): void {}

  takePictures(pictures: readonly PictureSlot[], sounds: readonly ScreenSoundSlot[]): void {
    assign(this.#users.sound, sounds)
    if (this.#pictures === undefined) return
    this.#pictures.assign(pictures)
    this.#events.pictures(this.#pictures.pictures)
  }

  watch(watched: readonly WatchedPicture[]): void {
    this.#watched = watched
    this.#pictures?.watch(watched)
    this.#hasWatched ||= watched.length > 0
    if (this.#hasWatched && this.#pictures !== undefined && this.hasVideo) this.#events.watch(watched)
  }

  /** @returns whether the library accepted the packet */
  send(packet: RtpPacket): boolean {
    return this.#send(writeRtp(packet))
  }

  /** @returns whether the library accepted the packet */
  sendPicture(packet: RtpPacket): boolean {
    return this.hasVideo && this.#send(writeRtp(packet, VP8_PAYLOAD_TYPE))
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#reporting)
    // The track is closed first: a track that outlives its connection is never freed.
    this.#track.close()
    this.#connection.close()
  }

  /** Sends bytes. Returns false if they were not sent. Ignores errors of the library: the connection is about to fail. */
  #send(bytes: Buffer): boolean {
    try {
      return !this.#isClosed && this.#track.isOpen() && this.#track.sendMessageBinary(bytes)
    } catch {
      return false
    }
  }

  #offer(): void {
    const native = this.#connection.localDescription()?.sdp
    if (native === undefined) this.#events.lost()
    else this.#events.offer(offerOf(native, this.#lines))
  }

  #handleState(state: string): void {
    if (state === 'connected') {
      this.#startReporting()
      this.#events.up()
    }
    if (['disconnected', 'failed', 'closed'].includes(state)) this.#events.lost()
  }

  #receive(bytes: Buffer): void {
    if (isRtcp(bytes)) return readFeedback(bytes, this.#events)
    const packet = readRtp(bytes)
    const line = packet && this.#slots.get(packet.ssrc)
    if (packet === undefined || line === undefined) return
    if (line.use === 'picture') return this.#pictures?.receive(packet, performance.now())
    const userId = this.#users[line.use].get(line.slot)
    if (userId === undefined || packet.payload.length === 0) return
    if (line.use === 'voice') this.#events.voice(userId, packet.payload, packet.timestamp)
    else this.#events.screenSound(userId, packet.payload, packet.timestamp)
  }

  /** Starts sending RTCP reports, but not to servers without pictures, which do not accept them. */
  #startReporting(): void {
    if (this.hasVideo && this.#reporting === undefined)
      this.#reporting = setInterval(() => this.#guard(() => this.#report(performance.now())), REQUEST_MS)
  }

  #report(nowMs: number): void {
    const sender = this.#options.own.microphone
    const requests = this.#pictures?.requests(sender, nowMs) ?? []
    const isDue = nowMs - this.#reportedAt >= REPORT_MS
    if (isDue) this.#reportedAt = nowMs
    if (!isDue && requests.length === 0) return
    const received = isDue ? (this.#pictures?.reports() ?? []) : []
    const timeMs = performance.timeOrigin + nowMs
    const sent = isDue ? this.#options.sent(nowMs).map((stream) => writeSenderReport(stream, timeMs)) : []
    // A compound RTCP packet must begin with a report (RFC 3550, 6.1), here the receiver report.
    this.#send(Buffer.concat([writeReceiverReport(sender, received), ...sent, ...requests]))
  }

  /** An exception in a callback of the native library would abort the process, so it is rethrown later. */
  #guard(act: () => void): void {
    try {
      if (!this.#isClosed) act()
    } catch (error) {
      setImmediate(() => {
        throw error
      })
    }
  }
}

function assign(users: Map<number, string>, slots: readonly VoiceSlot[]): void {
  for (const { slot, user_id } of slots) {
    if (user_id === null) users.delete(slot)
    else users.set(slot, user_id)
  }
}
