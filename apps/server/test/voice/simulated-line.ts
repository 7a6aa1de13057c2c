interface InFlight {
  readonly packet: Buffer
  readonly atMs: number
}

/** A network connection with a bandwidth and a queue. The caller provides the time. Packets are lost while the queue is full. */
export class SimulatedLine {
  bps: number
  readonly #queueMs: number
  readonly #delayMs: number
  readonly #inFlight: InFlight[] = []
  #freeAt = 0
  #arrivedAt = 0
  #random = 1

  constructor(bps: number, { queueMs = 300, delayMs = 20 } = {}) {
    this.bps = bps
    this.#queueMs = queueMs
    this.#delayMs = delayMs
  }

  /**
   * @param jitterMs maximum random delay, in addition to the delays of the connection and its queue
   * @returns false if the packet is lost
   */
  send(packet: Buffer, nowMs: number, jitterMs = 0): boolean {
    const startsAt = Math.max(nowMs, this.#freeAt)
    if (startsAt - nowMs > this.#queueMs) return false
    this.#freeAt = startsAt + (packet.length * 8000) / this.bps
    const arrivesAt = this.#freeAt + this.#delayMs + this.#nextRandom() * jitterMs
    // Jitter does not reorder packets.
    this.#arrivedAt = Math.max(this.#arrivedAt, arrivesAt)
    // The sender reuses its buffer.
    this.#inFlight.push({ packet: Buffer.from(packet), atMs: this.#arrivedAt })
    return true
  }

  /** Removes and returns the packets that have arrived, with their times of arrival. */
  arrived(nowMs: number): InFlight[] {
    const count = this.#inFlight.findIndex(({ atMs }) => atMs > nowMs)
    return this.#inFlight.splice(0, count === -1 ? this.#inFlight.length : count)
  }

  /** Returns a number between 0 and 1. Each run has the same sequence. */
  #nextRandom(): number {
    this.#random = (this.#random * 48_271) % 2_147_483_647
    return this.#random / 2_147_483_647
  }
}
