import { HEADER_BYTES, ONE_BYTE_EXTENSIONS } from './rtp-packet.ts'

const LONGEST_ELEMENTS = 64

/**
 * Returns the data of an RTP header extension; undefined if the packet does not have it.
 * @param id 1 to 14
 */
export function findExtension(received: Buffer, id: number): Buffer | undefined {
  const first = received[0] ?? 0
  const start = HEADER_BYTES + (first & 0x0f) * 4
  if ((first & 0x10) === 0 || received.length < start + 4) return undefined
  if (received.readUInt16BE(start) !== ONE_BYTE_EXTENSIONS) return undefined
  const words = Math.min(received.readUInt16BE(start + 2), LONGEST_ELEMENTS)
  const end = start + 4 + words * 4
  if (end > received.length) return undefined
  return findElement(received.subarray(start + 4, end), id)
}

function findElement(elements: Buffer, id: number): Buffer | undefined {
  let at = 0
  while (at < elements.length) {
    const head = elements[at] ?? 0
    const end = at + 2 + (head & 0x0f)
    if (head >> 4 === id) return end <= elements.length ? elements.subarray(at + 1, end) : undefined
    // Padding is a zero byte.
    at = head === 0 ? at + 1 : end
  }
  return undefined
}
