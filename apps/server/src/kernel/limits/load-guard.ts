const SAMPLE_MS = 100
/** Weight of a new sample. One long task is not an overload; it takes several late samples. */
const WEIGHT = 0.3
/** Longer delays count as this long: a process that was suspended for a while is not busy. */
const MAX_SAMPLE_MS = 2000
const BUSY_MS = { from: 250, until: 100 }
const OVERWHELMED_MS = { from: 1000, until: 400 }

/**
 * Measures the delay of the event loop. Under load, work that can wait is refused, long before all answers are late.
 * It is accepted again only well below the limit, so that the state does not flap.
 */
export class LoadGuard {
  readonly #timer: NodeJS.Timeout
  #due = performance.now() + SAMPLE_MS
  #lagMs = 0
  #worstLagMs = 0
  #isBusy = false
  #isOverwhelmed = false

  constructor() {
    this.#timer = setInterval(() => this.#sample(performance.now()), SAMPLE_MS).unref()
  }

  /** Recent delay of the event loop, in milliseconds. */
  get lagMs(): number {
    return this.#lagMs
  }

  /** Returns the longest delay since the last call. */
  takeWorstLagMs(): number {
    const worst = this.#worstLagMs
    this.#worstLagMs = this.#lagMs
    return worst
  }

  /** True if the process is too busy for new connections. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  /** True if the process is too busy even for requests. */
  get isOverwhelmed(): boolean {
    return this.#isOverwhelmed
  }

  /** @param lateMs latest delay of the event loop */
  observe(lateMs: number): void {
    this.#lagMs += (Math.min(lateMs, MAX_SAMPLE_MS) - this.#lagMs) * WEIGHT
    this.#worstLagMs = Math.max(this.#worstLagMs, this.#lagMs)
    this.#isBusy = this.#lagMs > (this.#isBusy ? BUSY_MS.until : BUSY_MS.from)
    this.#isOverwhelmed = this.#lagMs > (this.#isOverwhelmed ? OVERWHELMED_MS.until : OVERWHELMED_MS.from)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #sample(now: number): void {
    this.observe(Math.max(0, now - this.#due))
    this.#due = now + SAMPLE_MS
  }
}
