import type { ReportBlock } from '../video/reception.ts'
import { partsOf } from '../video/rtcp.ts'

const SENDER_REPORT = 200
const RECEIVER_REPORT = 201
const PAYLOAD_FEEDBACK = 206
const APPLICATION_FEEDBACK = 15
const BLOCK_BYTES = 24
/** Offsets of report blocks: after the header and the SSRC; in a sender report, after 20 more bytes. */
const BLOCKS_AT = { [SENDER_REPORT]: 28, [RECEIVER_REPORT]: 8 } as const
const REMB = 0x52_45_4d_42

export type LossBlock = Pick<ReportBlock, 'ssrc' | 'lost' | 'highestSequence'>

export interface ReceiverFeedback {
  /** Bits per second that the client estimates (REMB); undefined if the packet has no estimate. */
  readonly bandwidthBps: number | undefined
  readonly blocks: readonly LossBlock[]
}

/** Reads a client's bandwidth estimate and report blocks from RTCP. Anything that is cut off is ignored. */
export function readReceiverFeedback(received: Buffer): ReceiverFeedback {
  const parts = partsOf(received)
  return {
    bandwidthBps: parts.map(bandwidthIn).findLast((bps) => bps !== undefined),
    blocks: parts.flatMap(blocksIn),
  }
}

/** Reads an estimate (REMB): draft-alvestrand-rmcat-remb-03, 2.2. */
function bandwidthIn(part: Buffer): number | undefined {
  const isFeedback = part[1] === PAYLOAD_FEEDBACK && ((part[0] ?? 0) & 0x1f) === APPLICATION_FEEDBACK
  if (!isFeedback || part.length < 20 || part.readUInt32BE(12) !== REMB) return undefined
  const numbers = part.readUIntBE(17, 3)
  return (numbers & 0x3_ff_ff) * 2 ** (numbers >>> 18)
}

function blocksIn(part: Buffer): LossBlock[] {
  const type = part[1]
  if (type !== SENDER_REPORT && type !== RECEIVER_REPORT) return []
  const count = (part[0] ?? 0) & 0x1f
  return Array.from({ length: count }, (_, index) => BLOCKS_AT[type] + index * BLOCK_BYTES)
    .filter((at) => at + BLOCK_BYTES <= part.length)
    .map((at) => ({
      ssrc: part.readUInt32BE(at),
      lost: part.readIntBE(at + 5, 3),
      highestSequence: part.readUInt32BE(at + 8),
    }))
}
