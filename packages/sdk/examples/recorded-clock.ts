/** Difference between timestamps and times of arrival from which a stream counts as restarted. */
const MAX_DRIFT_MS = 1000

/** Times of a stream's frames in a recording, from the first arrival on. Computed from timestamps, which have no jitter. */
export class RecordedClock {
  readonly #ticksPerMs: number
  readonly #beganAt: number
  #first: { timestamp: number; atMs: number } | undefined
  #lastMs = -1

  /** @param beganAt when the recording began, by `performance.now()` */
  constructor(ticksPerMs: number, beganAt: number) {
    this.#ticksPerMs = ticksPerMs
    this.#beganAt = beganAt
  }

  /** Returns the time of a frame in milliseconds; undefined for a frame that arrives twice or too late. */
  timeOf(timestamp: number): number | undefined {
    const nowMs = performance.now() - this.#beganAt
    const first = this.#first ?? { timestamp, atMs: nowMs }
    this.#first = first
    // Timestamps wrap around, after 13 hours for pictures.
    const byTimestamp = first.atMs + ((timestamp - first.timestamp) | 0) / this.#ticksPerMs
    const hasDrifted = Math.abs(byTimestamp - nowMs) > MAX_DRIFT_MS
    if (hasDrifted) this.#first = { timestamp, atMs: nowMs }
    const atMs = Math.round(hasDrifted ? nowMs : byTimestamp)
    if (atMs <= this.#lastMs) return undefined
    this.#lastMs = atMs
    return atMs
  }
}
