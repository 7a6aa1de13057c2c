import type { PicturePacket } from './picture-packet.ts'

/** Maximum number of packets: a second at twice the rate of a screen. */
const CAPACITY = 1024
const MAX_AGE_MS = 1000

/** The packets of a stream's last second, to be resent to viewers that have lost some. */
export class PacketRing {
  /** By sequence number, the oldest first. */
  readonly #packets = new Map<number, PicturePacket>()

  get size(): number {
    return this.#packets.size
  }

  put(packet: PicturePacket): void {
    this.#evict(packet.receivedAt)
    // Deleted first: a map keeps the position of a known key, so the packet would take that of an older one.
    this.#packets.delete(packet.sequence)
    this.#packets.set(packet.sequence, packet)
  }

  /** Returns the packet; undefined if it is not there, or older than a second. */
  find(sequence: number, nowMs: number): PicturePacket | undefined {
    const packet = this.#packets.get(sequence)
    return packet !== undefined && nowMs - packet.receivedAt <= MAX_AGE_MS ? packet : undefined
  }

  clear(): void {
    this.#packets.clear()
  }

  #evict(nowMs: number): void {
    for (const [sequence, { receivedAt }] of this.#packets) {
      if (nowMs - receivedAt <= MAX_AGE_MS && this.#packets.size < CAPACITY) return
      this.#packets.delete(sequence)
    }
  }
}
