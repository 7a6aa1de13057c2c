import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Returns the ids of pinned messages, the last pinned first. */
export async function listPinnedIds(database: Queryable, { tenantId, channelId }: Place): Promise<string[]> {
  const rows = await database.query<{ message_id: string }>(sql`
    select message_id from pins where tenant_id = ${tenantId} and channel_id = ${channelId}
    order by pinned_at desc, message_id desc`)
  return rows.map((row) => row.message_id)
}

/** A message to pin or unpin. */
export interface PinnedRow {
  type: number
  pinned: boolean
}

/**
 * Locks the channel's head and the message, so that pinning, unpinning and deleting wait for each other: two
 * simultaneous pins cannot both take the last free slot. The head is locked first, as in deletions of messages.
 */
export async function lockForPin(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  messageId: string,
): Promise<PinnedRow | undefined> {
  const heads = await transaction.query(sql`
    select channel_id from message_heads
    where tenant_id = ${tenantId} and channel_id = ${channelId} for update`)
  // A deleted room has no head; a job sweeps its messages.
  if (heads.length === 0) return undefined
  const [row] = await transaction.query<PinnedRow>(sql`
    select type, pinned from messages
    where tenant_id = ${tenantId} and channel_id = ${channelId} and id = ${messageId}
    for no key update`)
  return row
}

/** @returns the number of pins */
export async function insertPin(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  { messageId, userId }: { messageId: string; userId: string },
): Promise<number> {
  // The current time, not the start of the transaction, which may have waited while others pinned.
  await transaction.query(sql`
    insert into pins (tenant_id, channel_id, message_id, pinned_by, pinned_at)
    values (${tenantId}, ${channelId}, ${messageId}, ${userId}, clock_timestamp())`)
  await transaction.query(sql`
    update messages set pinned = true
    where tenant_id = ${tenantId} and channel_id = ${channelId} and id = ${messageId}`)
  const [row] = await transaction.query<{ count: number }>(sql`
    select count(*) from pins where tenant_id = ${tenantId} and channel_id = ${channelId}`)
  return row?.count ?? 0
}

export async function unmarkPinned(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  messageId: string,
): Promise<void> {
  await transaction.query(sql`
    update messages set pinned = false
    where tenant_id = ${tenantId} and channel_id = ${channelId} and id = ${messageId}`)
}
