/** Time after a failure until Valkey is tried again. */
const PROBE_AFTER_MS = 250

export interface Outages {
  /** Called once per outage. */
  onAway?(error: unknown): void
  onBack?(): void
}

/** Tracks whether Valkey accepts writes, by its latest answers. */
export class Availability {
  readonly #probe: () => Promise<unknown>
  readonly #outages: Outages
  readonly #known = Promise.withResolvers<void>()
  #state: 'unknown' | 'up' | 'away' | 'closed' = 'unknown'
  #isProbing = false
  #timer: NodeJS.Timeout | undefined

  /** @param probe a write, because a Valkey may answer reads and still refuse writes */
  constructor(probe: () => Promise<unknown>, outages: Outages) {
    this.#probe = probe
    this.#outages = outages
  }

  get isUp(): boolean {
    return this.#state === 'up'
  }

  /** Resolves when the state of Valkey is first known. */
  get known(): Promise<void> {
    return this.#known.promise
  }

  /** Reports a failure. */
  doubt(error?: unknown): void {
    if (this.#state === 'up' || this.#state === 'unknown') {
      this.#become('away')
      this.#outages.onAway?.(error)
    }
    if (this.#state !== 'closed') this.#lookLater()
  }

  /** Checks now whether Valkey accepts writes again. Does nothing if it is known to be up, or while another check runs. */
  async look(): Promise<void> {
    if (this.#isProbing || this.#state === 'up' || this.#state === 'closed') return
    this.#isProbing = true
    try {
      await this.#probe()
      this.#rise()
    } catch (error) {
      this.doubt(error)
    } finally {
      this.#isProbing = false
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#become('closed')
  }

  #rise(): void {
    const isReturn = this.#state === 'away'
    if (this.#state === 'closed') return
    this.#become('up')
    if (isReturn) this.#outages.onBack?.()
  }

  #lookLater(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.look(), PROBE_AFTER_MS).unref()
  }

  #become(state: 'up' | 'away' | 'closed'): void {
    this.#state = state
    this.#known.resolve()
  }
}
