const WINDOW_MS = 1000
/** A key frame is several times as large as others, and comes every few seconds at most. */
const KEY_FRAME_SECONDS = 4

/**
 * Bits that arrive in a second. Those of key frames count over four seconds: one that a viewer has asked for must not look like a
 * faster stream. A stream of nothing else has its full rate soon.
 */
export class BitRate {
  #bits = 0
  #began = 0
  #before = 0
  #keyBits = 0

  add(bytes: number, nowMs: number, isOfKeyFrame = false): void {
    const passedMs = nowMs - this.#began
    if (passedMs >= WINDOW_MS) this.#turn(passedMs, nowMs)
    if (isOfKeyFrame) this.#keyBits += bytes * 8
    else this.#bits += bytes * 8
  }

  /** The last whole second, or the current one if it has more already. */
  get perSecond(): number {
    return Math.max(this.#before, this.#bits) + this.#keyBits / KEY_FRAME_SECONDS
  }

  #turn(passedMs: number, nowMs: number): void {
    this.#before = (this.#bits * 1000) / passedMs
    this.#keyBits *= (1 - 1 / KEY_FRAME_SECONDS) ** (passedMs / 1000)
    this.#bits = 0
    this.#began = nowMs
  }
}
