import type { Queryable } from '#src/kernel/sql/sql.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type MessageRow, messageColumns } from '#src/messages/rows.ts'

/** Returns the newest messages of all these rooms, newest first. */
export async function listNewestIn(
  database: Queryable,
  spaceId: string,
  roomIds: readonly string[],
  limit: number,
): Promise<MessageRow[]> {
  return database.query<MessageRow>(sql`
    with newest as materialized (
      select room_id, message.id
      from unnest(${roomIds}::uuid[]) as room (room_id), lateral (
        select id from messages where tenant_id = ${spaceId} and channel_id = room_id order by id desc limit ${limit}
      ) as message
      order by message.id desc limit ${limit}
    )
    select ${messageColumns} from messages
    where tenant_id = ${spaceId} and (channel_id, id) in (select room_id, id from newest)
    order by id desc`)
}
