import type { Database } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { WebhookRow } from '../webhooks/queries.ts'

export interface CopyRow {
  space_id: string
  webhook_id: string
  source_message_id: string
  room_id: string | null
  /** Null if the announcement was deleted. The row then only prevents a copy. */
  message_id: string | null
  left_out: string[]
}

type Named = Pick<WebhookRow, 'space_id' | 'id'>

/** Lists the copies of announcements by these webhooks. */
export async function listCopies(
  database: Queryable,
  webhooks: readonly Named[],
  originalIds: readonly string[],
): Promise<CopyRow[]> {
  return database.query<CopyRow>(sql`
    select copy.space_id, webhook_id, source_message_id, room_id, message_id, left_out
    from message_copies as copy
    join unnest(${webhooks.map(({ space_id }) => space_id)}::uuid[], ${webhooks.map(({ id }) => id)}::uuid[])
      as webhook (space_id, id) on copy.space_id = webhook.space_id and webhook_id = webhook.id
    where source_message_id = any(${originalIds}::uuid[])
    order by webhook_id, source_message_id`)
}

/** Prevents copies of deleted announcements. Another process may have read them before their deletion. */
export async function preventCopies(
  database: Database,
  webhooks: readonly Named[],
  originalIds: readonly string[],
): Promise<void> {
  await database.execute(sql`
    insert into message_copies (space_id, webhook_id, source_message_id)
    select webhook.space_id, webhook.id, original.id
    from unnest(${webhooks.map(({ space_id }) => space_id)}::uuid[], ${webhooks.map(({ id }) => id)}::uuid[])
      as webhook (space_id, id)
    join webhooks on webhooks.space_id = webhook.space_id and webhooks.id = webhook.id
    cross join unnest(${originalIds}::uuid[]) as original (id)
    on conflict do nothing`)
}

/** Turns the marks of deleted copies into marks that prevent copies and expire. The originals were deleted as well. */
export async function expireMarks(database: Database, copies: readonly CopyRow[]): Promise<void> {
  await database.execute(sql`
    update message_copies as known set message_id = null, room_id = null, left_out = '{}', made_at = now()
    from unnest(${copies.map(({ space_id }) => space_id)}::uuid[],
      ${copies.map(({ webhook_id }) => webhook_id)}::uuid[],
      ${copies.map(({ source_message_id }) => source_message_id)}::uuid[])
      as gone (space_id, webhook_id, source_message_id)
    where known.space_id = gone.space_id and known.webhook_id = gone.webhook_id
      and known.source_message_id = gone.source_message_id`)
}

/** Lists the webhooks of follows that still exist. */
export async function findWebhooks(
  database: Queryable,
  follows: readonly { webhook_id: string; follower_space_id: string }[],
): Promise<Pick<WebhookRow, 'space_id' | 'id' | 'room_id' | 'name' | 'avatar' | 'creator_id'>[]> {
  return database.query(sql`
    select webhooks.space_id, webhooks.id, room_id, name, avatar, creator_id from webhooks
    join unnest(${follows.map((follow) => follow.follower_space_id)}::uuid[],
      ${follows.map((follow) => follow.webhook_id)}::uuid[]) as follow (space_id, id)
      on webhooks.space_id = follow.space_id and webhooks.id = follow.id
    order by webhooks.id`)
}

/** Marks of a webhook deleted per run of the job. */
const MARKS_BATCH = 2000

/** Deletes some marks of a deleted webhook. @returns false if none is left */
export async function sweepMarks(
  transaction: Queryable,
  { space_id, webhook_id }: { space_id: string; webhook_id: string },
): Promise<boolean> {
  const swept = await transaction.query(sql`
    delete from message_copies
    where space_id = ${space_id} and webhook_id = ${webhook_id} and source_message_id = any(array(
      select source_message_id from message_copies where space_id = ${space_id} and webhook_id = ${webhook_id}
      limit ${MARKS_BATCH}))
    returning 1 as deleted`)
  return swept.length === MARKS_BATCH
}

/** Deletes marks that prevent copies of deleted announcements, once no process can still be copying these. */
export async function sweepCopies(database: Database, limit: number): Promise<unknown[]> {
  return database.execute(sql`
    delete from message_copies where ctid = any(array(
      select ctid from message_copies where message_id is null and made_at < now() - interval '1 day'
      order by made_at limit ${limit} for update skip locked))
    returning webhook_id`)
}
