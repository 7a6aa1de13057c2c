import { HEADER_BYTES, type RtpPacket } from './rtp-packet.ts'
import { difference } from './sequences.ts'
import { type CapturedTimes, SlotClock } from './video/slot-clock.ts'
import type { ForwardedStream } from './video/stream-reports.ts'

const CLOCK_PER_MS = 48
/** 20 ms, the length of almost all Opus packets. */
const FRAME_TICKS = 960
/**
 * Maximum gap in sequence numbers that counts as loss, and remains visible to the listener: two seconds. A longer gap
 * means that the sender has restarted.
 */
const MAX_GAP = 100

/**
 * One slot of a listener: a single continuous stream of changing speakers. Between two speakers the sequence increases
 * by one, and the timestamp by the time between their captures. Within one speaker, the sender's gaps and order are kept.
 */
export class Splice implements ForwardedStream {
  readonly ssrc: number
  sentPackets = 0
  sentOctets = 0
  readonly #payloadType: number
  #isFresh = true
  #firstSequence = 0
  #lastSequence = 0
  /** Offsets between the sender's numbers and the listener's. */
  #sequenceOffset: number
  #timestampOffset = 0
  #lastTimestamp: number
  #lastSentAt = 0
  readonly #clock = new SlotClock(CLOCK_PER_MS, FRAME_TICKS)

  constructor(stream: { ssrc: number; payloadType: number; sequence: number; timestamp: number }) {
    this.ssrc = stream.ssrc
    this.#payloadType = stream.payloadType
    this.#sequenceOffset = stream.sequence
    this.#lastTimestamp = stream.timestamp
  }

  /** Starts a new segment, because the next packet comes from a different sender. */
  restart(): void {
    this.#isFresh = true
  }

  /**
   * Writes the listener's header before the packet's payload.
   * @param captured the capture times of the sender's packets
   * @returns false for packets older than the speaker's first, which would be mistaken for the previous speaker's
   */
  write(packet: RtpPacket, nowMs: number, captured?: CapturedTimes): boolean {
    const ahead = this.#isFresh ? MAX_GAP + 1 : difference(packet.sequence, this.#lastSequence)
    const begins = ahead > MAX_GAP || ahead < -MAX_GAP
    if (begins) this.#begin(packet, nowMs, captured)
    else if (difference(packet.sequence, this.#firstSequence) < 0) return false
    const sequence = (packet.sequence + this.#sequenceOffset) & 0xffff
    const timestamp = (packet.timestamp + this.#timestampOffset) >>> 0
    if (ahead > 0 || begins) this.#goOn(packet.sequence, timestamp, nowMs)
    const { bytes } = packet
    bytes[0] = 0x80
    bytes[1] = begins || packet.marker ? this.#payloadType | 0x80 : this.#payloadType
    bytes[2] = sequence >>> 8
    bytes[3] = sequence
    writeUInt32(bytes, 4, timestamp)
    writeUInt32(bytes, 8, this.ssrc)
    this.sentPackets += 1
    this.sentOctets += bytes.length - HEADER_BYTES
    return true
  }

  reportTimestamp(original: number, nowMs: number): number | undefined {
    if (this.#isFresh) return undefined
    const timestamp = (original + this.#timestampOffset) >>> 0
    this.#clock.report(timestamp, nowMs)
    return timestamp
  }

  #begin(packet: RtpPacket, nowMs: number, captured: CapturedTimes | undefined): void {
    const end = { timestamp: this.#lastTimestamp, sentAt: this.#lastSentAt }
    const timestamp = this.#clock.begin(end, nowMs, captured?.capturedAt(packet.timestamp))
    this.#isFresh = false
    this.#firstSequence = packet.sequence
    this.#sequenceOffset = (this.#sequenceOffset + this.#lastSequence + 1 - packet.sequence) & 0xffff
    this.#timestampOffset = timestamp - packet.timestamp
  }

  #goOn(sequence: number, timestamp: number, nowMs: number): void {
    this.#lastSequence = sequence
    this.#lastTimestamp = timestamp
    this.#lastSentAt = nowMs
    // The first number moves on, because sequence numbers wrap around: after 11 minutes, all packets would seem older than the
    // first.
    if (difference(sequence, this.#firstSequence) > 2 * MAX_GAP) this.#firstSequence = sequence - MAX_GAP
  }
}

function writeUInt32(bytes: Buffer, at: number, value: number): void {
  bytes[at] = value >>> 24
  bytes[at + 1] = value >>> 16
  bytes[at + 2] = value >>> 8
  bytes[at + 3] = value
}
