import { growingLru } from '#src/kernel/cache.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

const MAX_SPACES = 10_000
/** A search chooses by these numbers how to search, and finds the same with old ones. */
const MAX_AGE_MS = 10 * 60_000

/** Counts the messages in the threads of rooms, at most once in ten minutes for a space: it takes a look at each thread. */
export class ThreadSizes {
  readonly #counted = growingLru<Promise<ReadonlyMap<string, number>>>(MAX_SPACES, MAX_AGE_MS)

  /** Returns the number of messages in threads, by the ids of rooms. */
  find(database: Queryable, spaceId: string): Promise<ReadonlyMap<string, number>> {
    const known = this.#counted.get(spaceId)
    if (known !== undefined) return known
    const counting = countInThreads(database, spaceId)
    this.#counted.set(spaceId, counting)
    counting.catch(() => this.#counted.delete(spaceId))
    return counting
  }
}

async function countInThreads(database: Queryable, spaceId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query<{ room_id: string; count: number }>(sql`
    select room_id, sum(message_count)::float8 as count from thread_rooms where space_id = ${spaceId} group by room_id`)
  return new Map(rows.map(({ room_id, count }) => [room_id, count]))
}
