import { LEAST_ID } from '@foyer/protocol/ids'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { ArchivedThread } from '../format.ts'

interface ThreadRow {
  id: string
  room_id: string
  title: string
  quiet_minutes: number
  created_at: string
  starter_message_id: string | null
  is_closed: boolean
}

/** Lists the threads of a space in the order of their ids, page by page. */
export async function* threadPages(
  database: Queryable,
  spaceId: string,
  limit: number,
): AsyncGenerator<ArchivedThread[]> {
  let after: string | undefined = LEAST_ID
  while (after !== undefined) {
    const rows: ThreadRow[] = await database.query<ThreadRow>(sql`
      select thread_rooms.id, room_id, title, quiet_minutes, thread_rooms.created_at, starter_message_id, is_closed
      from thread_rooms join rooms on rooms.space_id = thread_rooms.space_id and rooms.id = room_id
      where thread_rooms.space_id = ${spaceId} and thread_rooms.id > ${after}
      order by thread_rooms.id limit ${limit}`)
    after = rows[limit - 1]?.id
    if (rows.length > 0) yield rows.map(lineOf)
  }
}

function lineOf({ starter_message_id, is_closed, ...thread }: ThreadRow): ArchivedThread {
  return {
    ...thread,
    ...(starter_message_id !== null && { starter_message_id }),
    ...(is_closed && { is_closed }),
  }
}
