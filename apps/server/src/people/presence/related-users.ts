import { Batched } from '#src/kernel/sql/batched.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { listRelated } from './queries.ts'

const BOUNDS = { maxKeys: 200, atOnce: 1, pauseMs: 10 }

/** Looks up the users whose presence a user receives, for many users in one statement. */
export class RelatedUsers {
  readonly #batched: Batched<string, readonly string[]>

  constructor(database: Queryable) {
    this.#batched = new Batched<string, readonly string[]>(BOUNDS, async (userIds) => {
      const found = await listRelated(database, [...new Set(userIds)])
      return (userId) => found.get(userId) ?? []
    })
  }

  find(userId: string): Promise<readonly string[]> {
    return this.#batched.ask(userId)
  }
}
