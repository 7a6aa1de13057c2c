import { hash } from 'node:crypto'
import type { RateCount } from './rate-limits.ts'

/** Windows kept per length. They take at most about 100 MB, even if clients flood the server. */
const MAX_WINDOWS = 500_000
const EVICTED_AT_ONCE = MAX_WINDOWS / 8
/** In characters. Longer keys are kept as hashes; the keys of sending messages are shorter and need no hash. */
const MAX_KEY_LENGTH = 120

export interface RateWindow extends RateCount {
  readonly limit: number
  readonly resetAt: number
}

/** Windows of one length, in the order in which they end, so that a sweep stops at the first live one. */
export class RateWindows {
  readonly #lengthMs: number
  readonly #maxWindows: number
  readonly #byKey = new Map<string, RateWindow>()
  #sweepAt = 0

  constructor(lengthMs: number, maxWindows = MAX_WINDOWS) {
    this.#lengthMs = lengthMs
    this.#maxWindows = maxWindows
  }

  get size(): number {
    return this.#byKey.size
  }

  /** Returns the window of that name, or a new one if it is missing or has ended. */
  at(name: string, limit: number, now: number): RateWindow {
    const key = keyOf(name)
    const known = this.#byKey.get(key)
    if (known !== undefined && known.resetAt > now) return known
    if (now >= this.#sweepAt || this.#byKey.size >= this.#maxWindows) this.#sweep(now)
    const window = { limit, count: 0, resetAt: now + this.#lengthMs }
    this.#byKey.delete(key)
    this.#byKey.set(key, window)
    return window
  }

  /** Decrements the count of the window of that name, if it has not ended. */
  decrease(name: string, now: number): void {
    const known = this.#byKey.get(keyOf(name))
    if (known !== undefined && known.resetAt > now) known.count -= 1
  }

  /** Returns the count of the window of that name, which may not exist. */
  peek(name: string, now: number): number {
    const known = this.#byKey.get(keyOf(name))
    return known !== undefined && known.resetAt > now ? known.count : 0
  }

  delete(name: string): void {
    this.#byKey.delete(keyOf(name))
  }

  /** Deletes ended windows, rarely and in bulk, because a Map walks over its deleted entries every time. */
  #sweep(now: number): void {
    this.#sweepAt = now + this.#lengthMs
    const target = this.#maxWindows - Math.min(EVICTED_AT_ONCE, this.#maxWindows)
    const isFull = this.#byKey.size >= this.#maxWindows
    for (const [key, window] of this.#byKey) {
      if (window.resetAt > now && !(isFull && this.#byKey.size > target)) return
      this.#byKey.delete(key)
    }
  }
}

/** Hashes long names: clients choose parts of some, such as a webhook id with hundreds of characters. */
function keyOf(name: string): string {
  return name.length > MAX_KEY_LENGTH ? hash('sha256', name, 'base64url') : name
}
