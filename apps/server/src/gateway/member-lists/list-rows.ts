import type { MemberWithUser } from '@foyer/protocol/members'
import type { Database } from '#src/kernel/database/database.ts'
import { listMembersById } from '#src/members/queries.ts'

const MAX_ROWS = 5000

/** Rows of the members shown in a space's lists, now or recently. */
export class ListRows {
  readonly #database: Database
  readonly #spaceId: string
  readonly #rows = new Map<string, MemberWithUser>()

  constructor(database: Database, spaceId: string) {
    this.#database = database
    this.#spaceId = spaceId
  }

  get(userId: string): MemberWithUser | undefined {
    return this.#rows.get(userId)
  }

  forget(userId: string): void {
    this.#rows.delete(userId)
  }

  /** @param isStale returns true if the user may have changed after the read began */
  async load(userIds: Iterable<string>, isStale: (userId: string) => boolean): Promise<void> {
    const unknown = [...new Set(userIds)].filter((userId) => !this.#rows.has(userId))
    if (unknown.length === 0) return
    for (const row of await listMembersById(this.#database, this.#spaceId, unknown))
      if (!isStale(row.user_id)) this.#rows.set(row.user_id, row)
  }

  /**
   * Drops rows that no client sees, once there are many, for example after scrolling through a large list.
   */
  trim(isSeen: (userId: string) => boolean): void {
    if (this.#rows.size <= MAX_ROWS) return
    for (const userId of this.#rows.keys()) if (!isSeen(userId)) this.#rows.delete(userId)
  }
}
