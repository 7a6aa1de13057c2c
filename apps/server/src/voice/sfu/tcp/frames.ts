/** Packets of ICE, DTLS and SRTP fit into the 1,500 bytes of Ethernet. Larger packets are not media. */
export const MAX_FRAME_BYTES = 2048

const LENGTH_BYTES = 2

/** Splits a TCP stream into packets. Each packet is preceded by its length in two bytes (RFC 4571). */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0)

  add(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
  }

  /** Takes the next packet. Returns `oversized` as soon as its length is known; the caller must then close the stream. */
  next(): Buffer | 'incomplete' | 'oversized' {
    if (this.#rest.length < LENGTH_BYTES) return 'incomplete'
    const length = this.#rest.readUInt16BE(0)
    if (length > MAX_FRAME_BYTES) return 'oversized'
    const end = LENGTH_BYTES + length
    if (this.#rest.length < end) return 'incomplete'
    const packet = this.#rest.subarray(LENGTH_BYTES, end)
    this.#rest = this.#rest.subarray(end)
    return packet
  }
}

/** Returns the packet, preceded by its length. */
export function frameOf(packet: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + packet.length)
  frame.writeUInt16BE(packet.length, 0)
  packet.copy(frame, LENGTH_BYTES)
  return frame
}
