import { growingLru } from '#src/kernel/cache.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

const MAX_SPACES = 10_000
/** Time for which counts are cached. Counts only decide how to search, so outdated counts find the same messages. */
const MAX_AGE_MS = 10 * 60_000

/** Counts the messages in threads, by room. At most once in ten minutes per space, because it reads every thread. */
export class ThreadSizes {
  readonly #counted = growingLru<Promise<ReadonlyMap<string, number>>>(MAX_SPACES, MAX_AGE_MS)

  /** Returns the number of thread messages, by room id. */
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
