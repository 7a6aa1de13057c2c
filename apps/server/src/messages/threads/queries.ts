import { MAX_REPLY_COUNT } from '@foyer/protocol/limits'
import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { type MessageRow, messageColumns } from '#src/messages/rows.ts'

/** Summary of a thread. */
export interface ThreadRow {
  thread_id: string
  count: number
  last_seq: number
  last_at: string
  /** Authors of the latest replies, newest first. */
  author_ids: string[]
}

/** Returns the threads that begin with these messages, which belong to one tenant. */
export async function listThreads(
  database: Queryable,
  tenantId: string,
  messages: readonly { channel_id: string; id: string }[],
): Promise<ThreadRow[]> {
  return database.query<ThreadRow>(sql`
    select first.id as thread_id, count(*), max(seq) as last_seq, max(created_at) as last_at,
      array_agg(author_id order by seq desc) as author_ids
    from unnest(
      ${messages.map(({ channel_id }) => channel_id)}::uuid[], ${messages.map(({ id }) => id)}::uuid[]
    ) as first (channel_id, id)
    cross join lateral (
      select seq, created_at, author_id from messages
      where tenant_id = ${tenantId} and channel_id = first.channel_id and thread_id = first.id
      order by seq desc limit ${MAX_REPLY_COUNT}
    ) as reply
    group by first.id`)
}

/** Returns the first replies of a thread, or those after an anchor, oldest first. The anchor may be gone. */
export async function listReplyRows(
  database: Queryable,
  { tenantId, channelId }: Place,
  { threadId, after, limit }: { threadId: string; after: string | undefined; limit: number },
): Promise<MessageRow[]> {
  return database.query<MessageRow>(sql`
    select ${messageColumns} from messages
    where tenant_id = ${tenantId} and channel_id = ${channelId} and thread_id = ${threadId}
      and (${after ?? null}::uuid is null or seq > coalesce((
        select seq from messages
        where tenant_id = ${tenantId} and channel_id = ${channelId} and id <= ${after ?? null}
        order by id desc limit 1), 0))
    order by seq limit ${limit}`)
}

/** Returns the last replies before an anchor, oldest first. With an anchor after all messages, these are the newest replies. */
export async function listReplyRowsBefore(
  database: Queryable,
  { tenantId, channelId }: Place,
  { threadId, before, limit }: { threadId: string; before: string; limit: number },
): Promise<MessageRow[]> {
  const rows = await database.query<MessageRow>(sql`
    select ${messageColumns} from messages
    where tenant_id = ${tenantId} and channel_id = ${channelId} and thread_id = ${threadId}
      and seq < coalesce((
        select seq from messages
        where tenant_id = ${tenantId} and channel_id = ${channelId} and id >= ${before}
        order by id limit 1), ${Number.MAX_SAFE_INTEGER})
    order by seq desc limit ${limit}`)
  return rows.reverse()
}
