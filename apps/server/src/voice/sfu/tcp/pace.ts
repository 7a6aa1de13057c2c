/** Limits how many packets are read in a second, with a burst of one second's worth. */
export class Pace {
  readonly #perSecond: number
  #left: number
  #filledAt: number

  constructor(perSecond: number, nowMs: number) {
    this.#perSecond = perSecond
    this.#left = perSecond
    this.#filledAt = nowMs
  }

  /** Counts a packet. @returns the milliseconds to wait before the next packet */
  count(nowMs: number): number {
    const filled = this.#left + ((nowMs - this.#filledAt) / 1000) * this.#perSecond
    this.#left = Math.min(this.#perSecond, filled) - 1
    this.#filledAt = nowMs
    return this.#left >= 1 ? 0 : Math.ceil(((1 - this.#left) / this.#perSecond) * 1000)
  }
}
