import type { Dispatch } from '@foyer/sdk/frames'
import { readTime } from '@foyer/sdk/position'

/** As the server's replay: so much before a place may come after it. */
const OVERLAP_MS = 15_000
const KEPT_MS = 60_000
const MAX_KEPT = 2_000

/** The events that a tab has heard in the last minute, in their order: whichever tab leads can replay them to others. */
export class Journal {
  /** By place; undefined for those that were part of a READY. */
  readonly #events = new Map<string, Dispatch | undefined>()
  /** The greatest place that was heard. */
  #place: string | undefined
  /** Of what was said until then, in milliseconds since 1970, something is missing here. */
  #missingUntil = Number.POSITIVE_INFINITY

  get place(): string | undefined {
    return this.#place
  }

  /** The places of all that it knows. */
  get seen(): string[] {
    return [...this.#events.keys()]
  }

  /** Takes an event; false when it was heard before. */
  accept(s: string, event: Dispatch): boolean {
    if (this.#events.has(s)) return false
    this.#events.set(s, event)
    this.advance(s)
    this.#prune()
    return true
  }

  /** Moves forwards without an event. */
  advance(s: string): void {
    if (this.#place === undefined || s > this.#place) this.#place = s
  }

  /**
   * A READY stands for everything before it.
   * @param seen the events that are part of it, as far as they may come again
   */
  restart(place: string | undefined, seen: readonly string[]): void {
    this.#events.clear()
    for (const s of seen) this.#events.set(s, undefined)
    this.#place = place
    this.#missingUntil = Math.max(...[...seen, ...(place === undefined ? [] : [place])].map(readTime))
  }

  /** What whoever has heard everything up to this place may not have heard; undefined where that is not known. */
  after(place: string): Dispatch[] | undefined {
    const from = readTime(place) - OVERLAP_MS
    if (from <= this.#missingUntil) return undefined
    const known = [...this.#events].filter(([s]) => readTime(s) >= from)
    return known.flatMap(([, event]) => event ?? [])
  }

  #prune(): void {
    const horizon = readTime(this.#place ?? '') - KEPT_MS
    for (const s of this.#events.keys()) {
      const isOld = readTime(s) < horizon
      if (!isOld && this.#events.size <= MAX_KEPT) return
      this.#events.delete(s)
      this.#missingUntil = Math.max(this.#missingUntil, readTime(s))
    }
  }
}
