import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Deletes rows of the thread in the search index. Returns their number. */
export async function deleteThreadWords(
  transaction: Queryable,
  { tenantId, channelId, parentId }: Place,
  limit: number,
): Promise<number> {
  const rows = await transaction.query(sql`
    delete from message_words as words
    where tenant_id = ${tenantId} and channel_id = ${parentId} and thread_id = ${channelId} and id = any(array(
      select messages.id from messages join message_words as known
        on known.tenant_id = messages.tenant_id and known.id = messages.id and known.channel_id = ${parentId}
      where messages.tenant_id = ${tenantId} and messages.channel_id = ${channelId}
        and known.thread_id = ${channelId}
      limit ${limit}))
    returning id`)
  return rows.length
}

/** Deletes follows of the thread. Returns their number. */
export async function deleteFollows(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  limit: number,
): Promise<number> {
  const rows = await transaction.query(sql`
    delete from thread_follows where ctid = any(array(
      select ctid from thread_follows where space_id = ${tenantId} and thread_id = ${channelId} limit ${limit}))
    returning user_id`)
  return rows.length
}
