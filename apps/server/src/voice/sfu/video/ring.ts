import { PicturePacket } from './picture-packet.ts'

/** Maximum number of packets: a second at twice the rate of a screen. */
const CAPACITY = 1024
const MAX_AGE_MS = 1000
/** Maximum number of packet objects kept for reuse, such as after a burst. */
const MAX_FREE = 64

/** The packets of a stream's last second, to be resent to viewers that have lost some. */
export class PacketRing {
  /** By sequence number, the oldest first. */
  readonly #packets = new Map<number, PicturePacket>()
  readonly #free: PicturePacket[] = []

  get size(): number {
    return this.#packets.size
  }

  /** @returns the object for the next packet: one that is no longer needed, or a new one */
  put(packet: PicturePacket): PicturePacket {
    this.#evict(packet.receivedAt)
    // Deleted first, because a map keeps the position of a known key: this packet would get the position of an older one.
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
