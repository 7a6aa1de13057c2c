const WINDOW_MS = 1000
/** In its first second, a stream is measured over the elapsed time, or over this time if that is longer. */
const FIRST_MS = 250
/** Assumed duration of the latest frame, which lasts until the next frame arrives. */
const FRAME_MS = 40
/** Seconds over which key frames are averaged: they are several times as large as other frames, and seconds apart. */
const KEY_FRAME_SECONDS = 4

/**
 * Measures the bits per second of a stream. Key frames are averaged over four seconds: a key frame that a viewer has
 * requested must not look like a faster stream. The measured rate of a stream of only key frames still becomes correct
 * within seconds.
 */
export class BitRate {
  #bits = 0
  #began: number | undefined
  #addedAt = 0
  #before: number | undefined
  #keyBits = 0

  add(bytes: number, nowMs: number, isOfKeyFrame = false): void {
    this.#began ??= nowMs
    const passedMs = nowMs - this.#began
    if (passedMs >= WINDOW_MS) this.#turn(passedMs, nowMs)
    this.#addedAt = nowMs
    if (isOfKeyFrame) this.#keyBits += bytes * 8
    else this.#bits += bytes * 8
  }

  /** Bits of the last whole second, or of the current second if it already has more, plus the average of the key frames. */
  get perSecond(): number {
    return Math.max(this.#before ?? this.#firstRate, this.#bits) + this.#keyBits / KEY_FRAME_SECONDS
  }

  /** True in the first second, in which the rate is an estimate. */
  get isNew(): boolean {
    return this.#before === undefined
  }

  get #firstRate(): number {
    return (this.#bits * 1000) / Math.max(FIRST_MS, this.#addedAt - (this.#began ?? 0) + FRAME_MS)
  }

  #turn(passedMs: number, nowMs: number): void {
    this.#before = (this.#bits * 1000) / passedMs
    this.#keyBits *= (1 - 1 / KEY_FRAME_SECONDS) ** (passedMs / 1000)
    this.#bits = 0
    this.#began = nowMs
  }
}
