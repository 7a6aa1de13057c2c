import { decisionOf, type RateCounter, type RateCounters, type RateDecision } from './rate-limits.ts'
import { RateWindows } from './rate-windows.ts'

/** Rate counters of this process alone. */
export class LocalCounters implements RateCounters {
  readonly #windows = new Map<number, RateWindows>()

  async take(counters: readonly RateCounter[], now: number): Promise<RateDecision | undefined> {
    const windows = counters.map((counter) =>
      this.#windowsOf(counter.windowMs).at(keyOf(counter), counter.limit, now),
    )
    const allowed = windows.every(({ count, limit }) => count < limit)
    if (allowed) for (const window of windows) window.count += 1
    return decisionOf(windows, allowed)
  }

  async charge(counter: RateCounter, cost: number, now: number): Promise<void> {
    this.#windowsOf(counter.windowMs).at(keyOf(counter), counter.limit, now).count += cost
  }

  async giveBack(counter: RateCounter, now: number): Promise<void> {
    this.#windowsOf(counter.windowMs).decrease(keyOf(counter), now)
  }

  async count(counter: RateCounter, now: number): Promise<number> {
    return this.#windowsOf(counter.windowMs).peek(keyOf(counter), now)
  }

  async clear(counter: RateCounter): Promise<void> {
    this.#windowsOf(counter.windowMs).delete(keyOf(counter))
  }

  #windowsOf(windowMs: number): RateWindows {
    const known = this.#windows.get(windowMs)
    if (known !== undefined) return known
    const windows = new RateWindows(windowMs)
    this.#windows.set(windowMs, windows)
    return windows
  }
}

function keyOf({ subject, name }: RateCounter): string {
  return `${subject}|${name}`
}
