import { partsOf } from './rtcp.ts'

const EXTENDED_REPORT = 207
const HEADER_BYTES = 8
const BLOCK_HEADER_BYTES = 4
const REFERENCE_TIME = 4
const ANSWER = 5
const REFERENCE_TIME_BYTES = 8
const ANSWER_BYTES = 12

/** The time at which a client sent an extended report, by its own clock. */
export interface ClientTime {
  /** The client's SSRC, which must be in the answer. */
  readonly ssrc: number
  /** The middle 32 bits of the NTP timestamp. */
  readonly time: number
}

/** Returns the last receiver reference time in a compound packet: RFC 3611, 4.4. Blocks that are cut off are ignored. */
export function readClientTime(received: Buffer): ClientTime | undefined {
  return partsOf(received)
    .map(clientTimeIn)
    .findLast((found) => found !== undefined)
}

function clientTimeIn(part: Buffer): ClientTime | undefined {
  if (part[1] !== EXTENDED_REPORT) return undefined
  let at = HEADER_BYTES
  while (at + BLOCK_HEADER_BYTES <= part.length) {
    const end = at + BLOCK_HEADER_BYTES + part.readUInt16BE(at + 2) * 4
    if (
      part[at] === REFERENCE_TIME &&
      end === at + BLOCK_HEADER_BYTES + REFERENCE_TIME_BYTES &&
      end <= part.length
    )
      return { ssrc: part.readUInt32BE(4), time: part.readUInt32BE(at + 6) }
    at = end
  }
  return undefined
}

/**
 * Writes the answer (DLRR) to a reference time that has just arrived. The client computes the round trip from the answer: RFC
 * 3611, 4.5.
 * @param sender the server's own SSRC
 */
export function writeTimeAnswer(sender: number, { ssrc, time }: ClientTime): Buffer {
  const answer = Buffer.alloc(HEADER_BYTES + BLOCK_HEADER_BYTES + ANSWER_BYTES)
  answer[0] = 0x80
  answer[1] = EXTENDED_REPORT
  answer.writeUInt16BE(answer.length / 4 - 1, 2)
  answer.writeUInt32BE(sender, 4)
  answer[8] = ANSWER
  answer.writeUInt16BE(ANSWER_BYTES / 4, 10)
  answer.writeUInt32BE(ssrc, 12)
  answer.writeUInt32BE(time, 16)
  return answer
}
