import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { ArchivedSpace } from '../format.ts'

/** Hours after which an abandoned unfinished space is purged. */
const KEPT_HOURS = 6

/**
 * Inserts an unfinished space: it counts as deleted, cannot be brought back, and is purged some hours after its builder
 * stopped. A killed import therefore leaves nothing behind.
 */
export async function insertUnfinished(
  transaction: Queryable,
  { id, ownerId, space }: { id: string; ownerId: string; space: ArchivedSpace },
): Promise<void> {
  await transaction.query(sql`
    insert into spaces (id, name, description, owner_id, locale, audit_log_days, retention_days, raid_sensor,
      raid_sensor_joins, deleted_at, purge_begun_at, restorable_until)
    values (${id}, ${space.name}, ${space.description || null}, ${ownerId}, ${space.locale || null},
      ${space.audit_log_days}, ${space.retention_days}, ${space.raid_sensor}, ${space.raid_sensor_joins}, now(), now(),
      now() + make_interval(hours => ${KEPT_HOURS}::integer))`)
}

/** Locks an unfinished space and postpones its purge. Returns false once it was deleted or given up. */
export async function keepUnfinished(transaction: Queryable, spaceId: string): Promise<boolean> {
  const kept = await transaction.query(sql`
    update spaces set restorable_until = now() + make_interval(hours => ${KEPT_HOURS}::integer)
    where id = ${spaceId} and purge_begun_at is not null and restorable_until > now()
    returning id`)
  return kept.length > 0
}

/** Leaves an unfinished space to the purge, which begins within minutes. Returns false for any other space. */
export async function giveUpUnfinished(transaction: Queryable, spaceId: string): Promise<boolean> {
  const left = await transaction.query(sql`
    update spaces set restorable_until = deleted_at
    where id = ${spaceId} and deleted_at is not null and purge_begun_at is not null
    returning id`)
  return left.length > 0
}

/** Turns an unfinished space into a normal one, as if it was created now. */
export async function markFinished(
  transaction: Queryable,
  spaceId: string,
  images: { icon: string | null; banner: string | null; systemRoomId: string | null },
): Promise<void> {
  await transaction.query(sql`
    update spaces set deleted_at = null, purge_begun_at = null, restorable_until = null, icon = ${images.icon},
      banner = ${images.banner}, system_room_id = ${images.systemRoomId}, created_at = now(), updated_at = now()
    where id = ${spaceId}`)
}

/** A message's row in JSON. Columns that are left out are null. */
export interface BuiltMessage {
  id: string
  seq: number
  author_id: string
  author_name: string
  content: string
  flags: number
  pinned: boolean
  has_files: boolean
  has_reactions: boolean
  created_at: string
  edited_at: string | null
  sticker_ids?: string[]
  reference_type?: number
  reference_tenant_id?: string
  reference_channel_id?: string
  reference_message_id?: string
  thread_id?: string
  snapshot?: object
  embeds?: object[]
}

interface Channel {
  spaceId: string
  /** Id of the room or thread. */
  roomId: string
  /** The room that a thread belongs to; null for a room. */
  parentId: string | null
}

/** Inserts messages like webhook posts, with their authors' names, and moves the head of the room or thread. */
export async function insertBuilt(
  transaction: Queryable,
  { spaceId, roomId, parentId }: Channel,
  messages: readonly BuiltMessage[],
): Promise<void> {
  const last = messages.at(-1)
  if (last === undefined) return
  await transaction.query(sql`
    with head as (
      update message_heads set last_seq = ${last.seq}, last_message_id = ${last.id}
      where tenant_id = ${spaceId} and channel_id = ${roomId}
    ),
    counted as (
      update thread_rooms set message_count = message_count + ${messages.length},
        active_at = greatest(active_at, ${last.created_at}::timestamptz)
      where space_id = ${spaceId} and id = ${roomId}
    )
    insert into messages
      (tenant_id, channel_id, parent_id, id, seq, author_id, webhook_id, author_name, content, flags, pinned, has_files,
       has_reactions, created_at, edited_at, sticker_ids, reference_type, reference_tenant_id, reference_channel_id,
       reference_message_id, thread_id, snapshot, embeds)
    select ${spaceId}, ${roomId}, ${parentId}::uuid, id, seq, author_id, author_id, author_name, content, flags, pinned, has_files,
      has_reactions, created_at, edited_at, sticker_ids, reference_type, reference_tenant_id, reference_channel_id,
      reference_message_id, thread_id, snapshot, embeds
    from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as message (
      id uuid, seq bigint, author_id uuid, author_name text, content text, flags integer, pinned boolean,
      has_files boolean, has_reactions boolean, created_at timestamptz, edited_at timestamptz, sticker_ids uuid[],
      reference_type smallint, reference_tenant_id uuid, reference_channel_id uuid, reference_message_id uuid,
      thread_id uuid, snapshot jsonb, embeds jsonb)`)
}

export async function insertPins(
  transaction: Queryable,
  { spaceId, roomId }: Channel,
  { messageIds, pinnedBy }: { messageIds: readonly string[]; pinnedBy: string },
): Promise<void> {
  if (messageIds.length === 0) return
  await transaction.query(sql`
    insert into pins (tenant_id, channel_id, message_id, pinned_by)
    select ${spaceId}, ${roomId}, id, ${pinnedBy} from unnest(${messageIds}::uuid[]) as id`)
}

export interface BuiltReaction {
  message_id: string
  emoji: string
  count: number
  /** Position among the message's reactions. */
  place: number
}

/** Inserts the counts of reactions without the users who reacted, because they have no accounts here. */
export async function insertReactionCounts(
  transaction: Queryable,
  { spaceId, roomId }: Channel,
  reactions: readonly BuiltReaction[],
): Promise<void> {
  if (reactions.length === 0) return
  await transaction.query(sql`
    insert into reaction_counts (tenant_id, channel_id, message_id, emoji, count, first_at)
    select ${spaceId}, ${roomId}, message_id, emoji, count, now() + make_interval(secs => place * 0.001)
    from jsonb_to_recordset(${JSON.stringify(reactions)}::jsonb) as reaction (
      message_id uuid, emoji text, count integer, place integer)`)
}

export interface BuiltFile {
  id: string
  message_id: string
  place: number
  description: string | null
}

/** Assigns stored files to their messages. Returns the number of assigned files. */
export async function showFiles(
  transaction: Queryable,
  { spaceId }: Channel,
  files: readonly BuiltFile[],
): Promise<number> {
  if (files.length === 0) return 0
  const shown = await transaction.query(sql`
    update attachments set state = 'live', sweep_at = null, message_id = shown.message_id, place = shown.place,
      description = shown.description
    from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as shown (
      id uuid, message_id uuid, place smallint, description text)
    where tenant_id = ${spaceId} and attachments.id = shown.id and state = 'stored'
    returning attachments.id`)
  return shown.length
}

/** Saves the settings that `insertRooms` leaves at their defaults. */
export async function saveRoomSettings(
  transaction: Queryable,
  spaceId: string,
  rooms: readonly {
    id: string
    description: string | null
    slow_mode_seconds: number
    retention_days: number | null
    replies: 'threads' | null
  }[],
): Promise<void> {
  await transaction.query(sql`
    update rooms set description = setting.description, slow_mode_seconds = setting.slow_mode_seconds,
      retention_days = setting.retention_days, replies = setting.replies
    from jsonb_to_recordset(${JSON.stringify(rooms)}::jsonb) as setting (
      id uuid, description text, slow_mode_seconds integer, retention_days integer, replies text)
    where space_id = ${spaceId} and rooms.id = setting.id`)
}

export async function insertImages(
  transaction: Queryable,
  spaceId: string,
  images: readonly {
    kind: string
    id: string
    name: string
    attachment_id: string
    creator_id: string
    animated: boolean
  }[],
): Promise<void> {
  if (images.length === 0) return
  await transaction.query(sql`
    insert into space_images (space_id, kind, id, name, attachment_id, creator_id, animated)
    select ${spaceId}, kind, id, name, attachment_id, creator_id, animated
    from jsonb_to_recordset(${JSON.stringify(images)}::jsonb) as image (
      kind text, id uuid, name text, attachment_id uuid, creator_id uuid, animated boolean)`)
}
