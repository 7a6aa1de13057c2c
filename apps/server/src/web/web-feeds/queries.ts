import type { Source } from '#src/integrations/follows/queries.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** The state of a room's log. */
export interface LogHead {
  /** `seq` of the newest message. */
  last_seq: number
  /** The newest number of the log; null for a room without a log. */
  head: number | null
}

/** Returns the newest `seq` and the newest number, read at the same moment. */
export async function findLogHead(database: Queryable, { spaceId, roomId }: Source): Promise<LogHead> {
  const [row] = await database.query<LogHead>(sql`
    select last_seq, case when logged_since is not null then log_head end as head
    from message_heads left join followed_rooms on space_id = tenant_id and room_id = channel_id
    where tenant_id = ${spaceId} and channel_id = ${roomId}`)
  return row ?? { last_seq: 0, head: null }
}

/** A message with the number of its latest change. */
export interface LoggedRow {
  message_id: string
  number: number
}

/** Lists messages that changed after a number of the log, in the order of their numbers. */
export async function listLogged(
  database: Queryable,
  { spaceId, roomId }: Source,
  { after, limit }: { after: number; limit: number },
): Promise<LoggedRow[]> {
  return database.query<LoggedRow>(sql`
    select message_id, number from announcement_log
    where tenant_id = ${spaceId} and channel_id = ${roomId} and number > ${after}
    order by number limit ${limit}`)
}
