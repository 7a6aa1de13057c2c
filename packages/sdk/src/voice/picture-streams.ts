import type { PictureSlot, WatchedPicture } from '@foyer/protocol/voice'
import { Reception } from './reception.ts'
import { type ReceivedStream, writeMissing, writePictureLoss } from './rtcp.ts'
import type { RtpPacket } from './rtp.ts'
import { type Vp8Frame, Vp8Receiver } from './vp8-receiver.ts'

export type PictureSource = WatchedPicture['source']

/** A camera or screen of a user. */
export interface UserPicture {
  readonly user_id: string
  readonly source: PictureSource
}

/** Frames that came over the network before the gateway said whose they are: a second of them. */
const MAX_HELD = 30

interface Stream {
  readonly receiver: Vp8Receiver
  readonly reception: Reception
  readonly held: Vp8Frame[]
  picture: UserPicture | undefined
}

/** The pictures that a bot receives, one at a time in each slot. */
export class PictureStreams {
  readonly #take: (picture: UserPicture, frame: Vp8Frame) => void
  readonly #streams = new Map<number, Stream>()
  readonly #ssrcs: readonly number[]

  /** @param ssrcs the streams of the slots, in their order */
  constructor(ssrcs: readonly number[], take: (picture: UserPicture, frame: Vp8Frame) => void) {
    this.#take = take
    this.#ssrcs = ssrcs
    for (const ssrc of ssrcs) this.#streams.set(ssrc, this.#open(ssrc))
  }

  get pictures(): readonly UserPicture[] {
    return [...this.#streams.values()].flatMap(({ picture }) => picture ?? [])
  }

  receive(packet: RtpPacket, nowMs: number): void {
    const stream = this.#streams.get(packet.ssrc)
    stream?.reception.receive(packet.sequence)
    stream?.receiver.receive(packet, nowMs)
  }

  assign(slots: readonly PictureSlot[]): void {
    for (const { slot, user_id, source } of slots) {
      const stream = this.#streams.get(this.#ssrcs[slot] ?? -1)
      if (stream !== undefined)
        this.#put(stream, user_id === null || source === null ? undefined : { user_id, source })
    }
  }

  /** Returns reports that request what is missing. */
  requests(sender: number, nowMs: number): Buffer[] {
    return [...this.#streams].flatMap(([ssrc, { receiver }]) => {
      const { missing, needsKeyFrame } = receiver.requests(nowMs)
      return [
        ...(missing.length > 0 ? [writeMissing(sender, ssrc, missing)] : []),
        ...(needsKeyFrame ? [writePictureLoss(sender, ssrc)] : []),
      ]
    })
  }

  reports(): ReceivedStream[] {
    return [...this.#streams.values()].flatMap(({ reception }) => reception.report() ?? [])
  }

  #put(stream: Stream, picture: UserPicture | undefined): void {
    const before = stream.picture
    if (before !== undefined && before.user_id === picture?.user_id && before.source === picture.source)
      return
    stream.picture = picture
    // The server begins a picture with a key frame, so that frames of the one before are not taken for it.
    if (before !== undefined) stream.receiver.restart()
    const held = stream.held.splice(0)
    if (picture === undefined || before !== undefined) return
    for (const frame of held) this.#take(picture, frame)
  }

  #open(ssrc: number): Stream {
    const receiver = new Vp8Receiver((frame) => this.#deliver(stream, frame))
    const stream: Stream = { receiver, reception: new Reception(ssrc), held: [], picture: undefined }
    return stream
  }

  #deliver({ picture, held }: Stream, frame: Vp8Frame): void {
    if (picture !== undefined) return this.#take(picture, frame)
    if (frame.isKeyFrame) held.splice(0)
    if (held.length < MAX_HELD && (frame.isKeyFrame || held.length > 0)) held.push(frame)
  }
}
