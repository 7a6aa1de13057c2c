import type { ReportBlock, SenderReport } from './reception.ts'

const HEADER_BYTES = 4
const SENDER_REPORT = 200
const RECEIVER_REPORT = 201
const TRANSPORT_FEEDBACK = 205
const PAYLOAD_FEEDBACK = 206
const NACK = 1
const PICTURE_LOSS = 1
const FULL_INTRA_REQUEST = 4
const APPLICATION_FEEDBACK = 15
const BLOCK_BYTES = 24
const SENDER_REPORT_BYTES = 28
/** Maximum RTCP packets read from a compound packet. Browsers send about five. */
const MAX_PARTS = 20
/** Maximum sequence numbers read from a NACK. More is not a loss of single packets. */
const MAX_MISSING = 128
const MAX_MANTISSA = 0x3_ff_ff

export interface FeedbackListener {
  onSenderReport(ssrc: number, report: SenderReport): void
  onMissing(ssrc: number, sequences: readonly number[]): void
  onPictureLoss(ssrc: number): void
}

/** Reads the reports of a client: RFC 3550, 4585 and 5104. Anything that is cut off is ignored. */
export function readFeedback(received: Buffer, listener: FeedbackListener): void {
  for (const part of partsOf(received)) readPart(part, listener)
}

/** Returns the RTCP packets in a compound packet, up to one that is cut off. */
export function partsOf(received: Buffer): Buffer[] {
  const parts: Buffer[] = []
  let at = 0
  while (parts.length < MAX_PARTS && at + HEADER_BYTES <= received.length) {
    const end = at + HEADER_BYTES + received.readUInt16BE(at + 2) * 4
    if ((received[at] ?? 0) >> 6 !== 2 || end > received.length) return parts
    parts.push(received.subarray(at, end))
    at = end
  }
  return parts
}

function readPart(part: Buffer, listener: FeedbackListener): void {
  const type = part[1]
  const format = (part[0] ?? 0) & 0x1f
  if (part.length < 12) return
  if (type === SENDER_REPORT && part.length >= SENDER_REPORT_BYTES)
    listener.onSenderReport(part.readUInt32BE(4), readSenderReport(part))
  if (type === TRANSPORT_FEEDBACK && format === NACK)
    listener.onMissing(part.readUInt32BE(8), missingIn(part))
  if (type !== PAYLOAD_FEEDBACK) return
  if (format === PICTURE_LOSS) listener.onPictureLoss(part.readUInt32BE(8))
  // A FIR has the SSRC in its entries, not in its header.
  if (format === FULL_INTRA_REQUEST && part.length >= 20) listener.onPictureLoss(part.readUInt32BE(12))
}

function readSenderReport(part: Buffer): SenderReport {
  return {
    seconds: part.readUInt32BE(8),
    fraction: part.readUInt32BE(12),
    timestamp: part.readUInt32BE(16),
  }
}

const BITS = Array.from({ length: 16 }, (_, bit) => bit)

/** Reads a NACK (RFC 4585, 6.2.1): pairs of a sequence number and a mask of the sixteen numbers after it. */
function missingIn(part: Buffer): number[] {
  const missing: number[] = []
  for (let at = 12; at + 4 <= part.length && missing.length < MAX_MISSING; at += 4) {
    const first = part.readUInt16BE(at)
    const mask = part.readUInt16BE(at + 2)
    missing.push(first, ...BITS.filter((bit) => mask & (1 << bit)).map((bit) => (first + bit + 1) & 0xffff))
  }
  return missing
}

/** @param ssrc the stream that the report is about */
export function writeSenderReport(
  ssrc: number,
  { seconds, fraction, timestamp, packets, octets }: SenderReport & { packets: number; octets: number },
): Buffer {
  const part = newPart({ type: SENDER_REPORT, format: 0, sender: ssrc }, SENDER_REPORT_BYTES - 8)
  part.writeUInt32BE(seconds, 8)
  part.writeUInt32BE(fraction, 12)
  part.writeUInt32BE(timestamp, 16)
  part.writeUInt32BE(packets >>> 0, 20)
  part.writeUInt32BE(octets >>> 0, 24)
  return part
}

/** @param sender the server's own SSRC */
export function writeReceiverReport(sender: number, blocks: readonly ReportBlock[]): Buffer {
  const report = newPart(
    { type: RECEIVER_REPORT, format: blocks.length, sender },
    blocks.length * BLOCK_BYTES,
  )
  for (const [index, block] of blocks.entries()) {
    const at = 8 + index * BLOCK_BYTES
    report.writeUInt32BE(block.ssrc, at)
    report.writeUInt32BE(((block.fractionLost << 24) | block.lost) >>> 0, at + 4)
    report.writeUInt32BE(block.highestSequence, at + 8)
    report.writeUInt32BE(block.jitter, at + 12)
    report.writeUInt32BE(block.lastReport, at + 16)
    report.writeUInt32BE(block.delay, at + 20)
  }
  return report
}

export function writeMissing(sender: number, ssrc: number, sequences: readonly number[]): Buffer {
  const report = newPart({ type: TRANSPORT_FEEDBACK, format: NACK, sender }, 4 + sequences.length * 4)
  report.writeUInt32BE(ssrc, 8)
  for (const [index, sequence] of sequences.entries()) report.writeUInt16BE(sequence, 12 + index * 4)
  return report
}

export function writePictureLoss(sender: number, ssrc: number): Buffer {
  const report = newPart({ type: PAYLOAD_FEEDBACK, format: PICTURE_LOSS, sender }, 4)
  report.writeUInt32BE(ssrc, 8)
  return report
}

/** Writes a REMB, which says how much the client may send: draft-alvestrand-rmcat-remb. Without it, Chrome stays at 30 kbit/s. */
export function writeBandwidth(sender: number, bitsPerSecond: number, ssrcs: readonly number[]): Buffer {
  const report = newPart(
    { type: PAYLOAD_FEEDBACK, format: APPLICATION_FEEDBACK, sender },
    12 + ssrcs.length * 4,
  )
  let exponent = 0
  while (bitsPerSecond / 2 ** exponent > MAX_MANTISSA) exponent += 1
  const mantissa = Math.floor(bitsPerSecond / 2 ** exponent)
  report.write('REMB', 12, 'latin1')
  report.writeUInt32BE(((ssrcs.length << 24) | (exponent << 18) | mantissa) >>> 0, 16)
  for (const [index, ssrc] of ssrcs.entries()) report.writeUInt32BE(ssrc, 20 + index * 4)
  return report
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
