import type { InviteCode } from '@foyer/protocol/invites'
import { type ListRoomsQuery, type Room, RoomType } from '@foyer/protocol/rooms'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { SpaceAccess } from '#src/spaces/access.ts'
import { listRooms } from '#src/spaces/queries.ts'
import { visibleRooms } from '#src/spaces/snapshots.ts'

/**
 * Lists the rooms that the caller may view, with the newest `seq`, which the snapshot does not contain.
 * @param query `forums` lists forums, too
 */
export async function listVisibleRooms(
  database: Queryable,
  access: SpaceAccess,
  { forums = false }: ListRoomsQuery,
): Promise<Room[]> {
  const { snapshot, member, spaceId } = access
  const visible = new Set(visibleRooms(snapshot, member).map((room) => room.id))
  const rooms = await listRooms(database, [spaceId])
  return rooms.filter(({ id, type }) => visible.has(id) && (forums || type !== RoomType.Forum))
}

/**
 * Saves the editable columns of the rooms.
 * @param updatedId the room that the user changed; the others only moved
 */
export async function saveRooms(
  transaction: Queryable,
  spaceId: string,
  rooms: readonly Room[],
  updatedId: string | null,
): Promise<void> {
  await transaction.query(sql`
    update rooms set name = changed.name, description = changed.description, parent_id = changed.parent_id,
      position = changed.position, slow_mode_seconds = changed.slow_mode_seconds,
      retention_days = changed.retention_days, replies = changed.replies, announces = changed.announces, forum = changed.forum::jsonb,
      updated_at = case when rooms.id = ${updatedId}::uuid then now() else updated_at end
    from unnest(
      ${rooms.map((room) => room.id)}::uuid[],
      ${rooms.map((room) => room.name)}::text[],
      ${rooms.map((room) => room.description)}::text[],
      ${rooms.map((room) => room.parent_id)}::uuid[],
      ${rooms.map((room) => room.position)}::integer[],
      ${rooms.map((room) => room.slow_mode_seconds)}::integer[],
      ${rooms.map((room) => room.retention_days)}::integer[],
      ${rooms.map(({ replies }) => (replies === 'threads' ? replies : null))}::text[],
      ${rooms.map(({ announces = false }) => announces)}::boolean[],
      ${rooms.map(({ forum }) => (forum === undefined ? null : JSON.stringify(forum)))}::text[])
      as changed
        (id, name, description, parent_id, position, slow_mode_seconds, retention_days, replies, announces, forum)
    where rooms.space_id = ${spaceId} and rooms.id = changed.id`)
}

/**
 * Deletes the room with its overwrites and its head, so that no more messages can be written. A job sweeps the
 * messages.
 */
export async function deleteRoomRow(transaction: Queryable, spaceId: string, roomId: string): Promise<void> {
  await transaction.query(sql`
    with head as (delete from message_heads where tenant_id = ${spaceId} and channel_id = ${roomId}),
      turns as (delete from slow_mode_turns where space_id = ${spaceId} and room_id = ${roomId}),
      web as (delete from web_rooms where space_id = ${spaceId} and room_id = ${roomId})
    delete from rooms where space_id = ${spaceId} and id = ${roomId}`)
}

/** Lists the ids of the webhooks by which the room follows other rooms. */
export async function listFollowers(
  transaction: Queryable,
  spaceId: string,
  roomId: string,
): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    select id from webhooks
    where space_id = ${spaceId} and room_id = ${roomId} and source_room_id is not null order by id`)
  return rows.map(({ id }) => id)
}

/** Removes the followers of a room that no longer announces. Copied messages stay. Webhooks stay until people delete them. */
export async function endFollows(transaction: Queryable, spaceId: string, roomId: string): Promise<void> {
  await transaction.query(sql`
    delete from followed_rooms where space_id = ${spaceId} and room_id = ${roomId}`)
}

/** Deletes all invites to the room. Returns the invites that were still valid. */
export async function deleteInvitesTo(
  transaction: Queryable,
  spaceId: string,
  roomId: string,
): Promise<Pick<InviteCode, 'id' | 'code'>[]> {
  return transaction.query(sql`
    with gone as (
      delete from invites where space_id = ${spaceId} and room_id = ${roomId}
      returning id, code, expires_at
    )
    select id, code from gone where expires_at is null or expires_at > now() order by id`)
}
