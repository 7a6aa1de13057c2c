import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Counts the replies of a chain up to a limit. */
export async function countReplies(
  database: Queryable,
  { tenantId, channelId }: Place,
  messageId: string,
  limit: number,
): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`
    select count(*) from (
      select from messages
      where tenant_id = ${tenantId} and channel_id = ${channelId} and thread_id = ${messageId}
      limit ${limit}) as counted`)
  return row?.count ?? 0
}

export async function listOldestReplyIds(
  database: Queryable,
  { tenantId, channelId }: Place,
  messageId: string,
  limit: number,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from messages
    where tenant_id = ${tenantId} and channel_id = ${channelId} and thread_id = ${messageId}
    order by seq limit ${limit}`)
  return rows.map(({ id }) => id)
}
