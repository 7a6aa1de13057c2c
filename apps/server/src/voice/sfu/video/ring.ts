import type { PicturePacket } from './picture-packet.ts'

/** A second at twice the rate of a screen. */
const CAPACITY = 1024
const MAX_AGE_MS = 1000

/** The last packets of a stream, for viewers that miss some. */
export class PacketRing {
  readonly #packets: (PicturePacket | undefined)[] = Array.from({ length: CAPACITY }, () => undefined)

  put(packet: PicturePacket): void {
    this.#packets[packet.sequence % CAPACITY] = packet
  }

  /** Returns the packet; undefined if it is not there, or older than a second. */
  find(sequence: number, nowMs: number): PicturePacket | undefined {
    const packet = this.#packets[sequence % CAPACITY]
    return packet?.sequence === sequence && nowMs - packet.receivedAt <= MAX_AGE_MS ? packet : undefined
  }

  clear(): void {
    this.#packets.fill(undefined)
  }
}
