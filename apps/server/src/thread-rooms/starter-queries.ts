import { uuidArray } from '#src/kernel/sql/binary-arrays.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { queryThreads, type ThreadRow, threadsWithHeads } from './queries.ts'

/** Lists the threads of a room that began from these messages, the newest activity first. */
export async function listThreadsFrom(
  database: Queryable,
  { spaceId, roomId }: { spaceId: string; roomId: string },
  messageIds: readonly string[],
): Promise<ThreadRow[]> {
  const query = sql`
    select ${threadsWithHeads}
    where thread_rooms.space_id = ${spaceId} and thread_rooms.room_id = ${roomId} and starter_message_id is not null
      and starter_message_id = any(${uuidArray([...messageIds])}::uuid[])
    order by active_at desc, thread_rooms.id desc`
  return queryThreads(database, query)
}
