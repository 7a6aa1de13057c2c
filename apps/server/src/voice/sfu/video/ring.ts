import { PicturePacket } from './picture-packet.ts'

/** Maximum number of packets: a second at twice the rate of a screen. */
const CAPACITY = 1024
const MAX_AGE_MS = 1000
/** Maximum number of packets that wait to be used again, as after a burst. */
const MAX_FREE = 64

/** The packets of a stream's last second, to be resent to viewers that have lost some. */
export class PacketRing {
  /** By sequence number, the oldest first. */
  readonly #packets = new Map<number, PicturePacket>()
  readonly #free: PicturePacket[] = []

  get size(): number {
    return this.#packets.size
  }

  /** @returns another packet, to read the next one into: one that is no longer needed, or a new one */
  put(packet: PicturePacket): PicturePacket {
    this.#evict(packet.receivedAt)
    // Deleted first: a map keeps the position of a known key, so the packet would take that of an older one.
    this.#delete(packet.sequence, this.#packets.get(packet.sequence))
    this.#packets.set(packet.sequence, packet)
    return this.#free.pop() ?? new PicturePacket()
  }

  /** Returns the packet; undefined if it is not there, or older than a second. */
  find(sequence: number, nowMs: number): PicturePacket | undefined {
    const packet = this.#packets.get(sequence)
    return packet !== undefined && nowMs - packet.receivedAt <= MAX_AGE_MS ? packet : undefined
  }

  clear(): void {
    this.#packets.clear()
    this.#free.length = 0
  }

  #evict(nowMs: number): void {
    for (const [sequence, packet] of this.#packets) {
      if (nowMs - packet.receivedAt <= MAX_AGE_MS && this.#packets.size < CAPACITY) return
      this.#delete(sequence, packet)
    }
  }

  #delete(sequence: number, packet: PicturePacket | undefined): void {
    if (packet === undefined) return
    this.#packets.delete(sequence)
    if (this.#free.length < MAX_FREE) this.#free.push(packet)
  }
}
