const SAMPLE_MS = 100
/** One long piece of work is no overload; it takes several late samples to count as one. */
const WEIGHT = 0.3
/** A process that was stopped for a while is not busy. */
const MAX_SAMPLE_MS = 2000
const BUSY_MS = { from: 250, until: 100 }
const OVERWHELMED_MS = { from: 1000, until: 400 }

/**
 * Watches how late the event loop is. Work that can come later is turned away while it is late, long before nothing is
 * answered in time any more; and taken again only once it is well, so that it does not go to and fro.
 */
export class LoadGuard {
  readonly #timer: NodeJS.Timeout
  #due = performance.now() + SAMPLE_MS
  #lagMs = 0
  #isBusy = false
  #isOverwhelmed = false

  constructor() {
    this.#timer = setInterval(() => this.#sample(performance.now()), SAMPLE_MS).unref()
  }

  /** How late the event loop has been lately, in milliseconds. */
  get lagMs(): number {
    return this.#lagMs
  }

  /** Too late for new connections. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Too late even for requests. */
  get isOverwhelmed(): boolean {
    return this.#isOverwhelmed
  }

  /** @param lateMs by how much the loop was late this time */
  observe(lateMs: number): void {
    this.#lagMs += (Math.min(lateMs, MAX_SAMPLE_MS) - this.#lagMs) * WEIGHT
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
