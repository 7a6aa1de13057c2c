import type { Presence } from '@foyer/protocol/presence'
import { publicPresence, type Standing } from '#src/presence/choices.ts'

/** How those are seen of whom it is known: what is older than that is not heard. */
export class KnownStandings {
  readonly #known = new Map<string, Standing>()

  /** @returns false for what is no news */
  note(userId: string, standing: Standing): boolean {
    const known = this.#known.get(userId)
    if (known !== undefined && known.version >= standing.version) return false
    this.#known.set(userId, standing)
    return true
  }

  /** Undefined for who is offline. */
  presenceOf(userId: string): Presence | undefined {
    return publicPresence(userId, this.#known.get(userId)?.choice)
  }

  forget(userId: string): void {
    this.#known.delete(userId)
  }
}
