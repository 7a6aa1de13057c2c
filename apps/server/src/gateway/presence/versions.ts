import type { Presence } from '@foyer/protocol/presence'
import { publicPresence, type VersionedChoice } from '#src/people/presence/choices.ts'

/** Latest known presence of each user. Older updates are ignored. */
export class PresenceVersions {
  readonly #latest = new Map<string, VersionedChoice>()

  /** @returns false for an update that is not newer */
  note(userId: string, versioned: VersionedChoice): boolean {
    const known = this.#latest.get(userId)
    if (known !== undefined && known.version >= versioned.version) return false
    this.#latest.set(userId, versioned)
    return true
  }

  /** Undefined if the user is offline. */
  presenceOf(userId: string): Presence | undefined {
    return publicPresence(userId, this.#latest.get(userId)?.choice)
  }

  forget(userId: string): void {
    this.#latest.delete(userId)
  }
}
