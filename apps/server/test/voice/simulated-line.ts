interface InFlight {
  readonly packet: Buffer
  readonly atMs: number
}

interface Options {
  readonly queueMs?: number
  readonly delayMs?: number
  /** Share of the packets that are lost at random. */
  readonly lostShare?: number
  /** Maximum random delay, in addition to that of the sender. */
  readonly jitterMs?: number
  /** True for a busy wireless network: it pauses at random times, and everything that waited arrives together. */
  readonly pauses?: boolean
}

/** Average time between pauses, and their length. */
const PAUSE_EVERY_MS = 1000 / 15
const PAUSE_MS = { least: 20, most: 30 }

/** A network connection with a bandwidth and a queue. The caller provides the time. Packets are lost while the queue is full. */
export class SimulatedLine {
  bps: number
  delayMs: number
  readonly #queueMs: number
  readonly #lostShare: number
  readonly #jitterMs: number
  readonly #pauses: boolean
  readonly #inFlight: InFlight[] = []
  #freeAt = 0
  #arrivedAt = 0
  #pauseBeginsAt = 0
  #pauseEndsAt = 0
  #random = 1

  constructor(
    bps: number,
    { queueMs = 300, delayMs = 20, lostShare = 0, jitterMs = 0, pauses = false }: Options = {},
  ) {
    this.bps = bps
    this.#queueMs = queueMs
    this.delayMs = delayMs
    this.#lostShare = lostShare
    this.#jitterMs = jitterMs
    this.#pauses = pauses
  }

  /**
   * @param jitterMs maximum random delay, in addition to the delays of the connection and its queue
   * @returns false if the packet is lost
   */
  send(packet: Buffer, nowMs: number, jitterMs = 0): boolean {
    if (this.#lostShare > 0 && this.#nextRandom() < this.#lostShare) return false
    const startsAt = Math.max(nowMs, this.#freeAt)
    if (startsAt - nowMs > this.#queueMs) return false
    this.#freeAt = startsAt + (packet.length * 8000) / this.bps
    const arrivesAt = this.#freeAt + this.delayMs + this.#nextRandom() * (jitterMs + this.#jitterMs)
    // Jitter does not reorder packets.
    this.#arrivedAt = Math.max(this.#arrivedAt, this.#afterPause(arrivesAt))
    // The sender reuses its buffer.
    this.#inFlight.push({ packet: Buffer.from(packet), atMs: this.#arrivedAt })
    return true
  }

  /** Removes and returns the packets that have arrived, with their times of arrival. */
  arrived(nowMs: number): InFlight[] {
    const count = this.#inFlight.findIndex(({ atMs }) => atMs > nowMs)
    return this.#inFlight.splice(0, count === -1 ? this.#inFlight.length : count)
  }

  /** Returns the time at which a packet arrives that would arrive at `atMs` without pauses. */
  #afterPause(atMs: number): number {
    if (!this.#pauses) return atMs
    while (this.#pauseEndsAt < atMs) {
      this.#pauseBeginsAt = this.#pauseEndsAt - Math.log(1 - this.#nextRandom()) * PAUSE_EVERY_MS
      const { least, most } = PAUSE_MS
      this.#pauseEndsAt = this.#pauseBeginsAt + least + this.#nextRandom() * (most - least)
    }
    return atMs < this.#pauseBeginsAt ? atMs : this.#pauseEndsAt
  }

  /** Returns a number between 0 and 1. Each run has the same sequence. */
  #nextRandom(): number {
    this.#random = (this.#random * 48_271) % 2_147_483_647
    return this.#random / 2_147_483_647
  }
}
