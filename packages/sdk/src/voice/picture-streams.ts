import type { PictureSlot, WatchedPicture } from '@foyer/protocol/voice'
import { Reception } from './reception.ts'
import { type ReceivedStream, writeMissing, writePictureLoss } from './rtcp.ts'
import type { RtpPacket } from './rtp.ts'
import { aheadOf } from './sequences.ts'
import { type Vp8Frame, Vp8Receiver } from './vp8-receiver.ts'

export type PictureSource = WatchedPicture['source']

/** A camera or screen of a user. */
export interface UserPicture {
  readonly user_id: string
  readonly source: PictureSource
}

/** Maximum frames held until a signal names the picture in the slot: one second of frames. */
const MAX_HELD = 30
const MAX_HELD_BYTES = 4 * 1024 * 1024

interface HeldFrame {
  readonly frame: Vp8Frame
  /** Sequence number of the frame's first packet. */
  readonly sequence: number
}

interface Stream {
  readonly receiver: Vp8Receiver
  readonly reception: Reception
  held: HeldFrame[]
  picture: UserPicture | undefined
  /**
   * Sequence number of the first packet of `picture`; undefined before the first picture, and if the server is too old
   * to send it.
   */
  first: number | undefined
}

/** The pictures that a bot receives, one at a time in each slot. */
export class PictureStreams {
  readonly #take: (picture: UserPicture, frame: Vp8Frame) => void
  readonly #streams = new Map<number, Stream>()
  readonly #ssrcs: readonly number[]
  #watched: readonly UserPicture[] = []

  /** @param ssrcs SSRCs of the slots, in the order of the slots */
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

  /** Takes the watch list that is sent to the server. Frames of other pictures are no longer delivered. */
  watch(watched: readonly UserPicture[]): void {
    const before = this.#watched
    this.#watched = watched
    const isBack = ({ picture }: Stream) =>
      picture !== undefined && !has(before, picture) && has(watched, picture)
    for (const stream of [...this.#streams.values()].filter(isBack)) {
      // Frames were dropped while the picture was not watched, so it continues at a key frame.
      stream.held = []
      stream.receiver.begin()
    }
  }

  assign(slots: readonly PictureSlot[]): void {
    for (const { slot, user_id, source, first_sequence: first } of slots) {
      const stream = this.#streams.get(this.#ssrcs[slot] ?? -1)
      const picture = user_id === null || source === null ? undefined : { user_id, source }
      if (stream !== undefined) this.#put(stream, picture, first)
    }
  }

  /** Returns RTCP packets that request missing packets and key frames. */
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

  /**
   * Puts a picture in a slot. The signal and the packets take different paths: packets of the new picture may arrive
   * before the signal, and packets of the old picture after it. Only sequence numbers distinguish them, even for a
   * picture of the same user.
   */
  #put(stream: Stream, picture: UserPicture | undefined, first: number | undefined): void {
    const before = stream.picture
    const isSame = before?.user_id === picture?.user_id && before?.source === picture?.source
    const isNew = first === undefined ? !isSame && before !== undefined : first !== stream.first
    if (isSame && !isNew) return
    stream.picture = picture
    stream.first = first
    if (isNew) stream.receiver.begin(first)
    const isOfPicture = ({ sequence }: HeldFrame) =>
      first === undefined ? before === undefined : aheadOf(sequence, first) >= 0
    stream.held = stream.held.filter(isOfPicture)
    if (picture === undefined || !has(this.#watched, picture)) return
    for (const { frame } of stream.held.splice(0)) this.#take(picture, frame)
  }

  #open(ssrc: number): Stream {
    const receiver = new Vp8Receiver((frame, sequence) => this.#deliver(stream, { frame, sequence }))
    const reception = new Reception(ssrc)
    const stream: Stream = { receiver, reception, held: [], picture: undefined, first: undefined }
    return stream
  }

  /** Delivers a watched picture's frame. Other frames are held, because they may belong to the slot's next picture. */
  #deliver({ picture, held }: Stream, { frame, sequence }: HeldFrame): void {
    if (picture !== undefined && has(this.#watched, picture)) return this.#take(picture, frame)
    if (frame.isKeyFrame) held.splice(0)
    const bytes = held.reduce((sum, { frame: { data } }) => sum + data.length, frame.data.length)
    const isFull = held.length >= MAX_HELD || bytes > MAX_HELD_BYTES
    if (!isFull && (frame.isKeyFrame || held.length > 0)) held.push({ frame, sequence })
  }
}

function has(list: readonly UserPicture[], { user_id, source }: UserPicture): boolean {
  return list.some((one) => one.user_id === user_id && one.source === source)
}
