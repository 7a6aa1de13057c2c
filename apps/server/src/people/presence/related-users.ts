import type { Queryable } from '#src/kernel/sql/sql.ts'
import { listRelated } from './queries.ts'

const MAX_BATCH = 200

/**
 * Looks up the users whose presence others receive, with one query for all requests that arrive while the previous one
 * runs.
 */
export class RelatedUsers {
  readonly #database: Queryable
  readonly #waiting = new Map<string, PromiseWithResolvers<readonly string[]>>()
  #isRunning = false

  constructor(database: Queryable) {
    this.#database = database
  }

  find(userId: string): Promise<readonly string[]> {
    const asked = this.#waiting.get(userId) ?? Promise.withResolvers<readonly string[]>()
    this.#waiting.set(userId, asked)
    if (!this.#isRunning) void this.#run()
    return asked.promise
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, MAX_BATCH)
      for (const [userId] of batch) this.#waiting.delete(userId)
      await this.#answer(batch)
    }
    this.#isRunning = false
  }

  async #answer(batch: readonly [string, PromiseWithResolvers<readonly string[]>][]): Promise<void> {
    try {
      const userIds = batch.map(([userId]) => userId)
      const found = await listRelated(this.#database, userIds)
      for (const [userId, { resolve }] of batch) resolve(found.get(userId) ?? [])
    } catch (error) {
      for (const [, { reject }] of batch) reject(error)
    }
  }
}
