const HEADER_BYTES = 4
const SENDER_REPORT = 200
const RECEIVER_REPORT = 201
const TRANSPORT_FEEDBACK = 205
const PAYLOAD_FEEDBACK = 206
const NACK = 1
const PICTURE_LOSS = 1
const FULL_INTRA_REQUEST = 4
const BLOCK_BYTES = 24
/** Seconds from 1900 to 1970. */
const NTP_EPOCH_SECONDS = 2_208_988_800
const BITS = Array.from({ length: 16 }, (_, bit) => bit)

/** Receives feedback about the bot's own streams: requests for lost packets and key frames. */
export interface FeedbackListener {
  missing(ssrc: number, sequences: readonly number[]): void
  keyFrameWanted(ssrc: number): void
}

/** The state of a sent stream at one moment, for a sender report: RFC 3550, 6.4.1. */
export interface SentStream {
  readonly ssrc: number
  /** RTP timestamp at that moment. */
  readonly timestamp: number
  readonly packets: number
  readonly octets: number
}

/** The reception of a stream, for a receiver report: RFC 3550, 6.4.1. */
export interface ReceivedStream {
  readonly ssrc: number
  /** Share of packets lost since the last report, in 256ths. */
  readonly fractionLost: number
  readonly lost: number
  /** Highest sequence number, with the number of its wraps in the upper 16 bits. */
  readonly highestSequence: number
}

/** Reads NACK, PLI and FIR from RTCP packets: RFC 4585 and 5104. Truncated packets are ignored. */
export function readFeedback(bytes: Buffer, listener: FeedbackListener): void {
  let at = 0
  while (at + HEADER_BYTES <= bytes.length) {
    const end = at + HEADER_BYTES + bytes.readUInt16BE(at + 2) * 4
    if ((bytes[at] ?? 0) >> 6 !== 2 || end > bytes.length) return
    readPart(bytes.subarray(at, end), listener)
    at = end
  }
}

function readPart(part: Buffer, listener: FeedbackListener): void {
  if (part.length < 12) return
  const type = part[1]
  const format = (part[0] ?? 0) & 0x1f
  if (type === TRANSPORT_FEEDBACK && format === NACK) listener.missing(part.readUInt32BE(8), missingIn(part))
  if (type !== PAYLOAD_FEEDBACK) return
  if (format === PICTURE_LOSS) listener.keyFrameWanted(part.readUInt32BE(8))
  // The SSRC is in the entries of a FIR, not in its header.
  if (format === FULL_INTRA_REQUEST && part.length >= 20) listener.keyFrameWanted(part.readUInt32BE(12))
}

/**
 * Returns the missing sequence numbers. RFC 4585, 6.2.1: pairs of a number and a bitmask of the sixteen numbers after
 * it.
 */
function missingIn(part: Buffer): number[] {
  const missing: number[] = []
  for (let at = 12; at + 4 <= part.length; at += 4) {
    const first = part.readUInt16BE(at)
    const mask = part.readUInt16BE(at + 2)
    missing.push(first, ...BITS.filter((bit) => mask & (1 << bit)).map((bit) => (first + bit + 1) & 0xffff))
  }
  return missing
}

/** @param timeMs milliseconds since 1970 */
export function writeSenderReport({ ssrc, timestamp, packets, octets }: SentStream, timeMs: number): Buffer {
  const part = newPart({ type: SENDER_REPORT, format: 0, sender: ssrc }, 20)
  const seconds = Math.floor(timeMs / 1000)
  part.writeUInt32BE((seconds + NTP_EPOCH_SECONDS) % 2 ** 32, 8)
  part.writeUInt32BE(Math.floor((timeMs / 1000 - seconds) * 2 ** 32), 12)
  part.writeUInt32BE(timestamp >>> 0, 16)
  part.writeUInt32BE(packets >>> 0, 20)
  part.writeUInt32BE(octets >>> 0, 24)
  return part
}

/** @param sender the bot's own SSRC */
export function writeReceiverReport(sender: number, streams: readonly ReceivedStream[]): Buffer {
  const bytes = streams.length * BLOCK_BYTES
  const part = newPart({ type: RECEIVER_REPORT, format: streams.length, sender }, bytes)
  for (const [index, { ssrc, fractionLost, lost, highestSequence }] of streams.entries()) {
    const at = 8 + index * BLOCK_BYTES
    part.writeUInt32BE(ssrc, at)
    part.writeUInt32BE(((fractionLost << 24) | lost) >>> 0, at + 4)
    part.writeUInt32BE(highestSequence >>> 0, at + 8)
  }
  return part
}

export function writeMissing(sender: number, ssrc: number, sequences: readonly number[]): Buffer {
  const part = newPart({ type: TRANSPORT_FEEDBACK, format: NACK, sender }, 4 + sequences.length * 4)
  part.writeUInt32BE(ssrc, 8)
  for (const [index, sequence] of sequences.entries()) part.writeUInt16BE(sequence, 12 + index * 4)
  return part
}

export function writePictureLoss(sender: number, ssrc: number): Buffer {
  const part = newPart({ type: PAYLOAD_FEEDBACK, format: PICTURE_LOSS, sender }, 4)
  part.writeUInt32BE(ssrc, 8)
  return part
}

function newPart(
  { type, format, sender }: { type: number; format: number; sender: number },
  bytes: number,
): Buffer {
  const part = Buffer.alloc(8 + bytes)
  part[0] = 0x80 | format
  part[1] = type
  part.writeUInt16BE(part.length / 4 - 1, 2)
  part.writeUInt32BE(sender, 4)
  return part
}
