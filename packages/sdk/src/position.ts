/** More than the 15 s before the position from which the server replays: so old may what it commits last be. */
const REMEMBERED_MS = 30_000
const MAX_REMEMBERED = 20_000

/**
 * How far this client has heard the journal. Delivery is at least once and only nearly in order, so duplicates are told
 * by having been seen, not by their place.
 */
export class Position {
  readonly #seen = new Set<string>()
  #greatest: string | null = null
  #replayFrom: string | null = null

  /**
   * Where to resume from. While a replay runs this stays where it began: live events, which arrive between the replayed
   * ones, are newer than what is still to come.
   */
  get resumeFrom(): string | null {
    return this.#replayFrom ?? this.#greatest
  }

  /** Takes note of an event; false when it was heard before. */
  accept(s: string): boolean {
    if (this.#seen.has(s)) return false
    this.#seen.add(s)
    this.advance(s)
    this.#prune()
    return true
  }

  /** Moves forwards without taking note. */
  advance(s: string): void {
    if (this.#greatest === null || s > this.#greatest) this.#greatest = s
  }

  beginReplay(): void {
    this.#replayFrom = this.resumeFrom
  }

  endReplay(): void {
    this.#replayFrom = null
    this.#prune()
  }

  /** Nothing that was heard counts any more. */
  restart(): void {
    this.#seen.clear()
    this.#greatest = null
    this.#replayFrom = null
  }

  /** During a replay all is kept that fits: what came live in its first seconds may come again at its end. */
  #prune(): void {
    const isReplaying = this.#replayFrom !== null || this.#greatest === null
    const horizon = isReplaying ? 0 : readTime(this.#greatest ?? '') - REMEMBERED_MS
    for (const s of this.#seen) {
      const isOld = readTime(s) < horizon
      if (!isOld && this.#seen.size <= MAX_REMEMBERED) return
      this.#seen.delete(s)
    }
  }
}

/** Milliseconds since 1970, from a UUID of version 7. */
function readTime(s: string): number {
  return Number.parseInt(s.slice(0, 8) + s.slice(9, 13), 16)
}
