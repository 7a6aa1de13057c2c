import type { MemberWithUser } from '@foyer/protocol/members'
import type { Database } from '#src/kernel/database.ts'
import { listMembersById } from '#src/members/queries.ts'

const MAX_ROWS = 5000

/** The members of a space whom somebody sees in a list, or saw a moment ago. */
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

  /** @param isStale who may have changed behind what is read */
  async load(userIds: Iterable<string>, isStale: (userId: string) => boolean): Promise<void> {
    const unknown = [...new Set(userIds)].filter((userId) => !this.#rows.has(userId))
    if (unknown.length === 0) return
    for (const row of await listMembersById(this.#database, this.#spaceId, unknown))
      if (!isStale(row.user_id)) this.#rows.set(row.user_id, row)
  }

  /** Forgets whom nobody sees, once there are many: those of who scrolls through a large list. */
  trim(isSeen: (userId: string) => boolean): void {
    if (this.#rows.size <= MAX_ROWS) return
    for (const userId of this.#rows.keys()) if (!isSeen(userId)) this.#rows.delete(userId)
  }
}
