const HEADER_BYTES = 12
const CLOCK_PER_MS = 90
/** Maximum padding of an RTP packet: its last byte holds the number of padding bytes. */
const PADDING_BYTES = 255
/** Maximum time since the previous call for which padding is due. Padding for the rest of a longer time is skipped. */
const MAX_MS = 50

/** A viewer's RTX stream. */
export interface RepairStream {
  readonly ssrc: number
  readonly payloadType: number
  sequence: number
}

/** Makes padding packets at a rate. They are RTX packets, so they use no sequence numbers of a picture, and viewers drop them. */
export class Padding {
  #bps = 0
  #bits = 0
  #filledAt = 0

  setRate(bps: number, nowMs: number): void {
    this.#fill(nowMs)
    this.#bps = bps
    if (bps === 0) this.#bits = 0
  }

  /** Counts a packet of a picture as padding, so that less padding is sent. */
  replaceWith(bytes: number): void {
    this.#bits -= bytes * 8
  }

  /** Returns the packets that are due. */
  take(repair: RepairStream, nowMs: number): Buffer[] {
    this.#fill(nowMs)
    const packets: Buffer[] = []
    for (; this.#bits >= PADDING_BYTES * 8; this.#bits -= PADDING_BYTES * 8)
      packets.push(paddingPacket(repair, nowMs))
    return packets
  }

  #fill(nowMs: number): void {
    this.#bits += (this.#bps * Math.min(MAX_MS, nowMs - this.#filledAt)) / 1000
    this.#filledAt = nowMs
  }
}

function paddingPacket(repair: RepairStream, nowMs: number): Buffer {
  const packet = Buffer.alloc(HEADER_BYTES + PADDING_BYTES)
  repair.sequence = (repair.sequence + 1) & 0xffff
  packet[0] = 0xa0
  packet[1] = repair.payloadType
  packet.writeUInt16BE(repair.sequence, 2)
  packet.writeUInt32BE(Math.round(nowMs * CLOCK_PER_MS) >>> 0, 4)
  packet.writeUInt32BE(repair.ssrc, 8)
  packet[packet.length - 1] = PADDING_BYTES
  return packet
}
