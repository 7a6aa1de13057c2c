import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { DeletedRow } from '#src/messages/change-queries.ts'
import { notedChanges } from '#src/messages/noted-changes.ts'

/** Returns the channels that have any of the messages: the thread's room, and other threads of the room. */
export async function listSources(
  transaction: Queryable,
  { tenantId, channelId, parentId }: Place,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await transaction.query<{ channel_id: string }>(sql`
    select channel_id from messages
    where tenant_id = ${tenantId} and channel_id = ${parentId}::uuid and id = any(${ids}::uuid[])
    union
    select channel_id from messages
    where tenant_id = ${tenantId} and id = any(${ids}::uuid[]) and parent_id is not null and parent_id = ${parentId}::uuid
      and channel_id <> ${channelId}
    order by channel_id`)
  return rows.map(({ channel_id }) => channel_id)
}

/** Locks the heads in the order in which the message writer locks them. @returns the channels that exist */
export async function lockHeads(
  transaction: Queryable,
  tenantId: string,
  channelIds: readonly string[],
): Promise<string[]> {
  const rows = await transaction.query<{ channel_id: string }>(sql`
    select channel_id from message_heads
    where tenant_id = ${tenantId} and channel_id = any(${channelIds}::uuid[])
    order by tenant_id, channel_id for update`)
  return rows.map(({ channel_id }) => channel_id)
}

/** Locks the messages in the order of their ids, waiting for edits and reactions in progress. */
export async function lockMoved(
  transaction: Queryable,
  tenantId: string,
  sources: readonly string[],
  ids: readonly string[],
): Promise<(DeletedRow & { type: number })[]> {
  return transaction.query<DeletedRow & { type: number }>(sql`
    select channel_id, parent_id, id, seq, author_id, mention_ids, mention_role_ids, mention_everyone, has_files,
      has_reactions, pinned, thread_id, type
    from messages
    where tenant_id = ${tenantId} and channel_id = any(${sources}::uuid[]) and id = any(${ids})
    order by id for update`)
}

/**
 * Moves messages of one source to the end of the thread, with new numbers. Also moves their mentions and copies, and updates
 * the message counts of both threads.
 */
export async function moveRows(
  transaction: Queryable,
  { tenantId, channelId, parentId }: Place,
  source: string,
  ids: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    with head as (
      select last_seq from message_heads where tenant_id = ${tenantId} and channel_id = ${channelId}
    ),
    numbered as materialized (
      select id, seq as seq_before, last_seq + row_number() over (order by seq) as seq
      from messages cross join head
      where tenant_id = ${tenantId} and channel_id = ${source} and id = any(${ids})
    ),
    moved as (
      update messages set channel_id = ${channelId}, parent_id = ${parentId}, seq = numbered.seq
      from numbered
      where tenant_id = ${tenantId} and channel_id = ${source} and messages.id = numbered.id
    ),
    changed as (
      select ${tenantId}::uuid as tenant_id, ${source}::uuid as channel_id, id, seq_before as seq from numbered
    ),
    noted as (${notedChanges}),
    copied as (
      update message_copies set room_id = ${channelId}
      where space_id = ${tenantId} and room_id = ${source} and message_id = any(${ids})
    ),
    mentioned as (
      update mentions set channel_id = ${channelId}, parent_id = ${parentId}, seq = numbered.seq,
        target_id = case when target_id = ${source} then ${channelId} else target_id end
      from numbered
      where tenant_id = ${tenantId} and channel_id = ${source} and message_id = numbered.id
    ),
    left_thread as (
      update thread_rooms set message_count = message_count - (select count(*) from numbered)
      where space_id = ${tenantId} and id = ${source}
    ),
    entered as (
      update thread_rooms set message_count = message_count + (select count(*) from numbered), active_at = now(),
        is_laid = false
      where space_id = ${tenantId} and id = ${channelId}
    )
    update message_heads set last_seq = newest.seq, last_message_id = newest.id
    from (select id, seq from numbered order by seq desc limit 1) as newest
    where tenant_id = ${tenantId} and channel_id = ${channelId}`)
}

/** Changes the references of moved messages to messages that moved with them or in an earlier batch. */
export async function moveReferences(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  source: string,
  ids: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    with referring as materialized (
      select id, reference_message_id from messages
      where tenant_id = ${tenantId} and channel_id = ${channelId} and id = any(${ids})
        and reference_channel_id = ${source}
    ),
    moved as materialized (
      select id from messages
      where tenant_id = ${tenantId} and channel_id = ${channelId}
        and id = any(array(select reference_message_id from referring))
    )
    update messages set reference_channel_id = ${channelId}
    from referring join moved on moved.id = referring.reference_message_id
    where tenant_id = ${tenantId} and channel_id = ${channelId} and messages.id = referring.id`)
}

/** Moves the other rows that are kept by channel: files, reactions and the like. @returns the ids of the files */
export async function moveDependents(
  transaction: Queryable,
  { tenantId, channelId, parentId }: Place,
  source: string,
  ids: readonly string[],
): Promise<string[]> {
  const files = await transaction.query<{ id: string }>(sql`
    with
    reacted as (
      update reactions set channel_id = ${channelId}
      where tenant_id = ${tenantId} and channel_id = ${source} and message_id = any(${ids})
    ),
    counted as (
      update reaction_counts set channel_id = ${channelId}
      where tenant_id = ${tenantId} and channel_id = ${source} and message_id = any(${ids})
    ),
    pinned as (
      update pins set channel_id = ${channelId}
      where tenant_id = ${tenantId} and channel_id = ${source} and message_id = any(${ids})
    ),
    attached as (
      update attachments set channel_id = ${channelId}
      where tenant_id = ${tenantId} and channel_id = ${source} and message_id = any(${ids})
      returning id
    ),
    shown as (
      update preview_picture_uses set channel_id = ${channelId}
      where message_tenant_id = ${tenantId} and channel_id = ${source} and message_id = any(${ids})
    ),
    reported as (
      update reports set channel_id = ${channelId}, parent_id = ${parentId}
      where tenant_id = ${tenantId} and channel_id = ${source} and target_type = 'message' and target_id = any(${ids})
    )
    select id from attached`)
  return files.map(({ id }) => id)
}

/** Moves the head of a channel back to its newest remaining message. */
export async function resetHead(
  transaction: Queryable,
  { tenantId, channelId: source }: Place,
  ids: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    update message_heads set last_message_id = (
      select id from messages where tenant_id = ${tenantId} and channel_id = ${source} order by seq desc limit 1)
    where tenant_id = ${tenantId} and channel_id = ${source} and last_message_id = any(${ids})`)
}

export async function countPins(transaction: Queryable, { tenantId, channelId }: Place): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(sql`
    select count(*) from pins where tenant_id = ${tenantId} and channel_id = ${channelId}`)
  return row?.count ?? 0
}
