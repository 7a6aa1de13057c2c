import { MissingPackets } from './missing-packets.ts'
import type { RtpPacket } from './rtp.ts'
import { aheadOf } from './sequences.ts'
import { readVp8Header } from './vp8.ts'
import { readVp8Payload, type Vp8Part } from './vp8-payload.ts'

/** A whole encoded frame of a camera or screen. */
export interface Vp8Frame {
  readonly data: Uint8Array
  /** True if the frame can be decoded without earlier ones. */
  readonly isKeyFrame: boolean
  /** Increases by 90 per millisecond, and wraps at 2³². */
  readonly timestamp: number
  /** Size in pixels, from the last key frame. */
  readonly width: number
  readonly height: number
}

/** Maximum packets that wait for a missing one: two seconds of a sharp picture. */
const MAX_WAITING = 1000
const MAX_WAITING_BYTES = 4 * 1024 * 1024
const MAX_FRAME_BYTES = 4 * 1024 * 1024
/** Maximum packets of a frame, because a sender may send many packets with one byte each. */
const MAX_FRAME_PARTS = 2000
const REQUEST_MS = 500

interface Waiting {
  readonly packet: RtpPacket
  /** Undefined for a packet with only padding. */
  readonly part: Vp8Part | undefined
}

/** Requests for the sender of a stream. */
export interface StreamRequests {
  readonly missing: readonly number[]
  readonly needsKeyFrame: boolean
}

/** Reassembles the frames of one stream, in order, from packets that may arrive late, twice or never. */
export class Vp8Receiver {
  readonly #take: (frame: Vp8Frame, sequence: number) => void
  readonly #missing = new MissingPackets()
  readonly #waiting = new Map<number, Waiting>()
  #waitingBytes = 0
  /** Sequence number of the next expected packet. */
  #next: number | undefined
  #parts: Uint8Array[] = []
  #bytes = 0
  /** Sequence number and timestamp of the frame being reassembled; undefined before its first packet. */
  #frame: Pick<RtpPacket, 'sequence' | 'timestamp'> | undefined
  #size = { width: 0, height: 0 }
  #needsKeyFrame = true
  /** True once a packet has arrived that cannot be used before a key frame. */
  #isHeldUp = false
  #requestedAt = Number.NEGATIVE_INFINITY

  /** @param take receives each frame, and the sequence number of its first packet */
  constructor(take: (frame: Vp8Frame, sequence: number) => void) {
    this.#take = take
  }

  receive(packet: RtpPacket, nowMs: number): void {
    const { sequence } = packet
    const isOld = this.#next !== undefined && aheadOf(sequence, this.#next) < 0
    if (isOld || this.#waiting.has(sequence)) return
    this.#next ??= sequence
    const isMendable = this.#missing.receive(sequence, nowMs) && !this.#isFull(packet)
    if (!isMendable) this.#startOver(sequence)
    this.#waiting.set(sequence, { packet, part: readVp8Payload(packet.payload) })
    this.#waitingBytes += packet.payload.length
    this.#drain()
  }

  /** Returns the packets to request now, and whether to request a key frame. Packets requested in vain are given up. */
  requests(nowMs: number): StreamRequests {
    const { asked, lost } = this.#missing.due(nowMs)
    const next = this.#next
    if (next !== undefined && lost.some((sequence) => aheadOf(sequence, next) >= 0)) this.#skip()
    const needsKeyFrame = this.#needsKeyFrame && this.#isHeldUp && nowMs - this.#requestedAt >= REQUEST_MS
    if (needsKeyFrame) this.#requestedAt = nowMs
    return { missing: asked, needsKeyFrame }
  }

  /**
   * Begins another picture at a key frame. Packets of the previous picture are dropped, even if they arrive later.
   * @param first sequence number of the first packet of the picture; undefined if unknown
   */
  begin(first?: number): void {
    const ahead = first === undefined ? 0 : aheadOf(first, this.#next ?? first)
    // Nothing to begin: packets of the new picture have already arrived, and their frames were delivered.
    if (ahead < 0 && ahead >= -MAX_WAITING) return
    this.#dropFrame()
    this.#needsKeyFrame = true
    this.#isHeldUp = false
    // Ignores the number of a very late signal, because sequence numbers have wrapped since then.
    if (first !== undefined && Math.abs(ahead) <= MAX_WAITING) this.#goTo(first)
  }

  #isFull({ payload }: RtpPacket): boolean {
    return this.#waiting.size >= MAX_WAITING || this.#waitingBytes + payload.length > MAX_WAITING_BYTES
  }

  #goTo(first: number): void {
    for (const sequence of this.#waiting.keys()) if (aheadOf(sequence, first) < 0) this.#takeOut(sequence)
    this.#missing.startAt(first)
    this.#next = first
    this.#drain()
  }

  #drain(): void {
    while (this.#next !== undefined) {
      const waiting = this.#takeOut(this.#next)
      if (waiting === undefined) return
      this.#next = (this.#next + 1) & 0xffff
      if (waiting.part !== undefined) this.#add(waiting.packet, waiting.part)
    }
  }

  #takeOut(sequence: number): Waiting | undefined {
    const waiting = this.#waiting.get(sequence)
    this.#waiting.delete(sequence)
    this.#waitingBytes -= waiting?.packet.payload.length ?? 0
    return waiting
  }

  #add({ marker, timestamp, sequence }: RtpPacket, part: Vp8Part): void {
    if (part.startsFrame) this.#dropFrame()
    if (part.startsKeyFrame) this.#needsKeyFrame = false
    if (this.#needsKeyFrame) {
      this.#isHeldUp = true
      return
    }
    this.#frame ??= { sequence, timestamp }
    this.#bytes += part.bytes.length
    const isTooLarge = this.#bytes > MAX_FRAME_BYTES || this.#parts.length >= MAX_FRAME_PARTS
    if (isTooLarge || timestamp !== this.#frame.timestamp) return this.#wait()
    this.#parts.push(part.bytes)
    if (marker) this.#finish(this.#frame)
  }

  #finish({ sequence, timestamp }: Pick<RtpPacket, 'sequence' | 'timestamp'>): void {
    const data = new Uint8Array(Buffer.concat(this.#parts))
    this.#dropFrame()
    const header = readVp8Header(data)
    if (header === undefined) return this.#wait()
    const { isKeyFrame, width, height } = header
    if (isKeyFrame) this.#size = { width, height }
    this.#take({ data, isKeyFrame, timestamp, ...this.#size }, sequence)
  }

  /** Gives up the missing packets, and continues at the next key frame that has arrived. */
  #skip(): void {
    const sequences = [...this.#waiting.keys()].sort(aheadOf)
    const start = sequences.find((sequence) => this.#waiting.get(sequence)?.part?.startsKeyFrame)
    const [first] = sequences
    this.#wait()
    this.#next = start ?? first
    for (const sequence of sequences)
      if (start !== undefined && aheadOf(sequence, start) < 0) this.#takeOut(sequence)
    this.#drain()
  }

  #startOver(sequence: number): void {
    this.#waiting.clear()
    this.#waitingBytes = 0
    this.#missing.clear()
    // Later gaps are counted from this packet on.
    this.#missing.receive(sequence, 0)
    this.#next = sequence
    this.#wait()
  }

  #wait(): void {
    this.#dropFrame()
    this.#needsKeyFrame = true
    this.#isHeldUp = true
  }

  #dropFrame(): void {
    this.#parts = []
    this.#bytes = 0
    this.#frame = undefined
  }
}
