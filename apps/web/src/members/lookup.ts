import { MAX_PAGE } from '@foyer/protocol/limits'
import type { Gateway } from '@foyer/sdk/gateway'

/** Time within which requested members are batched. */
const TOGETHER_MS = 40
/** Time until a member who was not found is requested again. */
const PATIENCE_MS = 60_000

/**
 * Requests members from the gateway by id. The answers are events, which the store handles. Callers repeat `want` until
 * the store has the member.
 */
export class MemberLookup {
  readonly #gateway: Pick<Gateway, 'requestMembers'>
  readonly #now: () => number
  readonly #wanted = new Map<string, Set<string>>()
  readonly #asked = new Map<string, number>()

  constructor(gateway: Pick<Gateway, 'requestMembers'>, now: () => number = Date.now) {
    this.#gateway = gateway
    this.#now = now
  }

  want(spaceId: string, userIds: readonly string[]): void {
    const now = this.#now()
    for (const userId of userIds) {
      const key = `${spaceId} ${userId}`
      if (now < (this.#asked.get(key) ?? -PATIENCE_MS) + PATIENCE_MS) continue
      this.#asked.set(key, now)
      if (this.#wanted.size === 0) setTimeout(() => this.#ask(), TOGETHER_MS)
      this.#wanted.set(spaceId, (this.#wanted.get(spaceId) ?? new Set()).add(userId))
    }
  }

  /** Allows all members to be requested again. */
  forget(): void {
    this.#asked.clear()
  }

  #ask(): void {
    const now = this.#now()
    for (const [key, at] of this.#asked) if (now >= at + PATIENCE_MS) this.#asked.delete(key)
    const wanted = [...this.#wanted]
    this.#wanted.clear()
    // If the request fails, the members are shown without nicknames.
    for (const [space_id, ids] of wanted)
      for (const user_ids of pagesOf([...ids]))
        this.#gateway.requestMembers({ space_id, user_ids }).catch(() => undefined)
  }
}

function pagesOf(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / MAX_PAGE)
  return Array.from({ length: count }, (_, page) => ids.slice(page * MAX_PAGE, (page + 1) * MAX_PAGE))
}
