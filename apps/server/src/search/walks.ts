import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { wholeQuery } from './clauses.ts'
import type { Scope } from './scope.ts'

export interface Match {
  readonly id: string
  /** The thread, room or conversation of the message. */
  readonly channelId: string
  /** For a message of a thread, the thread's room; otherwise the channel itself. */
  readonly roomId: string
}

/** Result of checking the newest messages of a scope one by one. */
export interface Walk {
  /** The matches among the checked messages, newest first. */
  readonly matches: readonly Match[]
  readonly walked: number
  /** All messages with this id or newer were checked; null if the whole scope was checked. */
  readonly floor: string | null
}

interface Stretch {
  /** Upper bound of the message ids, exclusive. */
  readonly before: string
  /** Number of messages to check. */
  readonly rows: number
}

interface WalkRow {
  walked: number
  floor: string | null
  ids: string[] | null
  channel_ids: string[] | null
  /** The thread of each message; null for a message outside of threads. */
  thread_ids: (string | null)[] | null
}

/**
 * Walks the tenant's newest messages, skipping other channels. The inner limit keeps the planner from using an index
 * for the condition.
 * @param isWhole true if the scope has all channels of the tenant
 */
export async function walkTenant(
  database: Queryable,
  scope: Scope,
  { before, rows }: Stretch,
  isWhole: boolean,
): Promise<Walk> {
  const query = wholeQuery(scope)
  const channelIds = isWhole ? null : scope.channelIds
  const [row] = await database.query<WalkRow>(sql`
    select count(*)::integer as walked, min(id::text collate "C") as floor,
      array_agg(id::text order by id desc) filter (where is_match) as ids,
      array_agg(channel_id::text order by id desc) filter (where is_match) as channel_ids,
      array_agg(thread_id::text order by id desc) filter (where is_match) as thread_ids
    from (
      select id, channel_id, thread_id,
        (${query}::tsquery is null or words @@ ${query}::tsquery)
          and message_words.created_at > coalesce(${scope.sentAfter}::timestamptz, '-infinity')
          and message_words.created_at < coalesce(${scope.sentBefore}::timestamptz, 'infinity')
          and (${scope.posts === null}::boolean or exists (
            select from posts
            where posts.space_id = tenant_id and posts.id = message_words.thread_id
              and (${scope.posts?.tags ?? null}::uuid[] is null or tag_ids && ${scope.posts?.tags ?? null}::uuid[])
              and coalesce((solved_message_id is not null) = ${scope.posts?.solved ?? null}::boolean, true))) as is_match
      from message_words
      where tenant_id = ${scope.tenantId} and id < ${before} and id > ${scope.after}
        and (${channelIds}::uuid[] is null or channel_id = any(${channelIds}::uuid[]))
      order by id desc limit ${rows}) as page`)
  if (row === undefined) return { matches: [], walked: 0, floor: null }
  const ids = row.ids ?? []
  const matches = ids.map((id, index) => {
    const roomId = row.channel_ids?.[index] ?? ''
    return { id, roomId, channelId: row.thread_ids?.[index] ?? roomId }
  })
  return { matches, walked: row.walked, floor: row.walked < rows ? null : row.floor }
}

export interface Share {
  readonly channelId: string
  /** Number of messages to check in the channel. */
  readonly rows: number
}

/**
 * Walks the newest messages of each channel. If several channels have more messages, the newest floor among them
 * applies to all.
 */
export async function walkChannels(
  database: Queryable,
  scope: Scope,
  before: string,
  shares: readonly Share[],
): Promise<Walk> {
  const query = wholeQuery(scope)
  const rows = await database.query<WalkRow & { channel_id: string; rows: number }>(sql`
    select channel_id, rows, count(id)::integer as walked, min(id::text collate "C") as floor,
      array_agg(id::text order by id desc) filter (where is_match) as ids, null as channel_ids,
      array_agg(thread_id::text order by id desc) filter (where is_match) as thread_ids
    from unnest(${shares.map((share) => share.channelId)}::uuid[], ${shares.map((share) => share.rows)}::integer[])
        as share (channel_id, rows)
      cross join lateral (
        select id, thread_id,
          (${query}::tsquery is null or words @@ ${query}::tsquery)
            and message_words.created_at > coalesce(${scope.sentAfter}::timestamptz, '-infinity')
            and message_words.created_at < coalesce(${scope.sentBefore}::timestamptz, 'infinity')
            and (${scope.posts === null}::boolean or exists (
              select from posts
              where posts.space_id = tenant_id and posts.id = message_words.thread_id
                and (${scope.posts?.tags ?? null}::uuid[] is null or tag_ids && ${scope.posts?.tags ?? null}::uuid[])
                and coalesce((solved_message_id is not null) = ${scope.posts?.solved ?? null}::boolean, true))) as is_match
        from message_words
        where tenant_id = ${scope.tenantId} and message_words.channel_id = share.channel_id
          and id < ${before} and id > ${scope.after}
        order by id desc limit share.rows) as page
    group by channel_id, rows`)
  const floors = rows.flatMap((row) => (row.walked < row.rows || row.floor === null ? [] : [row.floor]))
  const floor = floors.toSorted().at(-1) ?? null
  const found = rows.flatMap(({ channel_id: roomId, ids, thread_ids }) =>
    (ids ?? []).map((id, index) => ({ id, roomId, channelId: thread_ids?.[index] ?? roomId })),
  )
  return {
    matches: newestFirst(found.filter(({ id }) => floor === null || id >= floor)),
    walked: rows.reduce((sum, row) => sum + row.walked, 0),
    floor,
  }
}

export function newestFirst(matches: readonly Match[]): Match[] {
  return matches.toSorted((a, b) => (a.id < b.id ? 1 : -1))
}
