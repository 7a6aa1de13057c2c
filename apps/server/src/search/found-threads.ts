import type { Message } from '@foyer/protocol/messages'
import type { FoundThread } from '@foyer/protocol/search'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Returns the threads and posts of found messages. The caller may view these messages, and therefore their threads. */
export async function listFoundThreads(
  database: Queryable,
  spaceId: string,
  messages: readonly Message[],
): Promise<FoundThread[]> {
  const ids = new Set(
    messages.flatMap(({ room_id, parent_room_id }) => (parent_room_id === undefined ? [] : (room_id ?? []))),
  )
  if (ids.size === 0) return []
  return database.query<FoundThread>(sql`
    select id, room_id, title from thread_rooms
    where space_id = ${spaceId} and id = any(${[...ids]}::uuid[]) order by id`)
}
