const BUCKET_MS = 50

/** Measures bits per second over the last moments. */
export class RateMeter {
  readonly #buckets: number[]
  #index: number | undefined
  #sum = 0
  #beganAt: number | undefined

  /** @param windowMs a multiple of 50 */
  constructor(windowMs: number) {
    this.#buckets = Array.from({ length: windowMs / BUCKET_MS }, () => 0)
  }

  add(bytes: number, nowMs: number): void {
    this.#beganAt ??= nowMs
    this.#turn(nowMs)
    const at = (this.#index ?? 0) % this.#buckets.length
    this.#buckets[at] = (this.#buckets[at] ?? 0) + bytes
    this.#sum += bytes
  }

  /** Returns bits per second. In the first window, only the elapsed time counts, but at least half a window. */
  bps(nowMs: number): number {
    if (this.#beganAt === undefined) return 0
    this.#turn(nowMs)
    const windowMs = this.#buckets.length * BUCKET_MS
    const ms = Math.min(windowMs, Math.max(windowMs / 2, nowMs - this.#beganAt))
    return (this.#sum * 8000) / ms
  }

  #turn(nowMs: number): void {
    const index = Math.floor(nowMs / BUCKET_MS)
    let at = this.#index ?? index
    // Measurement restarts if the clock jumps, in either direction, or nothing was added for a window.
    if (Math.abs(index - at) >= this.#buckets.length) {
      this.#buckets.fill(0)
      this.#sum = 0
      at = index
    }
    for (; at < index; at += 1) {
      const next = (at + 1) % this.#buckets.length
      this.#sum -= this.#buckets[next] ?? 0
      this.#buckets[next] = 0
    }
    this.#index = at
  }
}
