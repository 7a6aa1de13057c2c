const WINDOW_MS = 1000

/** Bits that arrive in a second. */
export class BitRate {
  #bits = 0
  #began = 0
  #before = 0

  add(bytes: number, nowMs: number): void {
    const passedMs = nowMs - this.#began
    if (passedMs >= WINDOW_MS) {
      this.#before = (this.#bits * 1000) / passedMs
      this.#bits = 0
      this.#began = nowMs
    }
    this.#bits += bytes * 8
  }

  /** The last whole second, or the current one if it has more already. */
  get perSecond(): number {
    return Math.max(this.#before, this.#bits)
  }
}
