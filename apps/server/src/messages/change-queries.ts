import type { ComponentRow } from '@foyer/protocol/components'
import type { Embed } from '@foyer/protocol/embeds'
import type { Place } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { notedChanges } from './noted-changes.ts'
import { type MessageRow, messageColumns } from './rows.ts'

/** The editable columns of a message. */
export interface Edit {
  content: string
  flags: number
  mention_ids: readonly string[]
  mention_role_ids: readonly string[]
  mention_everyone: boolean
  embeds: readonly Embed[]
  components: readonly ComponentRow[]
}

/**
 * Locks the message until the transaction ends. A deleted room loses its head first and its messages later, so a
 * message without a head counts as deleted.
 */
export async function lockMessage(
  transaction: Queryable,
  place: Place,
  messageId: string,
): Promise<MessageRow | undefined> {
  const [row] = await transaction.query<MessageRow>(sql`
    select ${messageColumns} from messages
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and id = ${messageId}
      and exists (select from message_heads where tenant_id = ${place.tenantId} and channel_id = ${place.channelId})
    for no key update`)
  return row
}

/**
 * Locks messages before they are deleted: the head first, as deletions and moves do.
 * @returns the ids of the existing messages
 */
export async function lockMessages(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  ids: readonly string[],
): Promise<string[]> {
  await transaction.query(sql`
    select from message_heads where tenant_id = ${tenantId} and channel_id = ${channelId} for update`)
  const rows = await transaction.query<{ id: string }>(sql`
    select id from messages
    where tenant_id = ${tenantId} and channel_id = ${channelId} and id = any(${ids}::uuid[])
    order by id for no key update`)
  return rows.map(({ id }) => id)
}

/** @param isEdited true sets `edited_at`, because the author changed the content */
export async function updateMessageRow(
  transaction: Queryable,
  place: Place,
  messageId: string,
  { edit, isEdited }: { edit: Edit; isEdited: boolean },
): Promise<void> {
  await transaction.query(sql`
    with changed as (
      update messages set content = ${edit.content}, flags = ${edit.flags},
        mention_ids = ${orNull(edit.mention_ids)}, mention_role_ids = ${orNull(edit.mention_role_ids)},
        mention_everyone = ${edit.mention_everyone}, embeds = ${jsonOrNull(edit.embeds)},
        components = ${jsonOrNull(edit.components)},
        edited_at = case when ${isEdited} then now() else edited_at end
      where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and id = ${messageId}
      returning tenant_id, channel_id, id, seq
    )
    ${notedChanges}`)
}

/** The columns that hold a message's mentions. */
export type MentioningRow = Pick<
  MessageRow,
  'id' | 'seq' | 'author_id' | 'mention_ids' | 'mention_role_ids' | 'mention_everyone'
>

/** Returns the target ids that the mentions table stores; @everyone is stored as the channel's id. */
export function targetsOf(
  row: Omit<MentioningRow, 'id' | 'seq' | 'author_id'>,
  { channelId }: Place,
): string[] {
  const everyone = row.mention_everyone ? [channelId] : []
  return [...(row.mention_ids ?? []), ...(row.mention_role_ids ?? []), ...everyone]
}

export async function deleteMentions(
  transaction: Queryable,
  place: Place,
  rows: readonly MentioningRow[],
): Promise<void> {
  const targets = [...new Set(rows.flatMap((row) => targetsOf(row, place)))]
  if (targets.length === 0) return
  await transaction.query(sql`
    delete from mentions
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId}
      and target_id = any(${targets}) and seq = any(${rows.map(({ seq }) => seq)})`)
}

export async function insertMentions(
  transaction: Queryable,
  place: Place,
  row: MentioningRow,
): Promise<void> {
  const targets = targetsOf(row, place)
  if (targets.length === 0) return
  await transaction.query(sql`
    insert into mentions (tenant_id, channel_id, parent_id, target_id, seq, message_id, author_id)
    select ${place.tenantId}, ${place.channelId}, ${place.parentId ?? null}, target_id, ${row.seq}, ${row.id},
      ${row.author_id}
    from unnest(${targets}::uuid[]) as target_id on conflict do nothing`)
}

export type DeletedRow = MentioningRow &
  Pick<MessageRow, 'channel_id' | 'parent_id' | 'has_files' | 'has_reactions' | 'pinned' | 'thread_id'>

/**
 * Deletes messages and, if the newest was among them, moves the room's head back to the newest that is left. The head
 * is locked first: otherwise, two transactions that delete the two newest messages would each set the head to the
 * message the other deletes.
 * @returns the deleted rows
 */
export async function deleteMessageRows(
  transaction: Queryable,
  place: Place,
  ids: readonly string[],
): Promise<DeletedRow[]> {
  const heads = await transaction.query(sql`
    select channel_id from message_heads
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} for update`)
  // A deleted room has no head; a job sweeps its messages.
  if (heads.length === 0) return []
  const deleted = await transaction.query<DeletedRow>(sql`
    with changed as (
      delete from messages
      where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and id = any(${ids})
      returning tenant_id, channel_id, parent_id, id, seq, author_id, mention_ids, mention_role_ids, mention_everyone, has_files,
        has_reactions, pinned, thread_id
    ),
    noted as (${notedChanges})
    select * from changed order by seq`)
  await transaction.query(sql`
    update message_heads set last_message_id = (
      select id from messages where tenant_id = ${place.tenantId} and channel_id = ${place.channelId}
      order by seq desc limit 1)
    where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and last_message_id = any(${ids})`)
  await uncountMessages(transaction, place.tenantId, deleted)
  return deleted
}

/** Lowers the message count of the messages' thread. */
async function uncountMessages(
  transaction: Queryable,
  spaceId: string,
  deleted: readonly DeletedRow[],
): Promise<void> {
  const [first] = deleted
  if (first === undefined || first.parent_id === null) return
  await transaction.query(sql`
    update thread_rooms set message_count = message_count - ${deleted.length}
    where space_id = ${spaceId} and id = ${first.channel_id}`)
}

/** @returns the number of pins left */
export async function deletePins(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  messageIds: readonly string[],
): Promise<number> {
  await transaction.query(sql`
    delete from pins
    where tenant_id = ${tenantId} and channel_id = ${channelId} and message_id = any(${messageIds})`)
  const [row] = await transaction.query<{ count: number }>(sql`
    select count(*) from pins where tenant_id = ${tenantId} and channel_id = ${channelId}`)
  return row?.count ?? 0
}

function orNull<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : list
}

function jsonOrNull(list: readonly unknown[]): string | null {
  return list.length === 0 ? null : JSON.stringify(list)
}
