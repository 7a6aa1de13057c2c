import { LEAST_ID } from '@foyer/protocol/ids'
import { type Place, roomOf } from '#src/channels/place.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** The smallest id of the moment `days` ago: the first 48 bits of an id are milliseconds. */
const firstKept = fragment`
  (lpad(to_hex((extract(epoch from now() - make_interval(days => days)) * 1000)::bigint), 12, '0')
    || '00000000000000000000')::uuid`

const keptRooms = fragment`
  select space_id, id, retention_days as days from rooms where retention_days is not null
  union all
  select space_id, rooms.id, spaces.retention_days from spaces join rooms on space_id = spaces.id
  where spaces.retention_days is not null and rooms.retention_days is null`

interface RoomPage {
  after: Place | undefined
  /** Ids of rooms that are left out. */
  skipped: readonly string[]
  limit: number
}

/** Lists rooms and threads with messages past their retention, ordered by the ids of space and room. */
export async function listAgedRooms(
  database: Queryable,
  { after = { tenantId: LEAST_ID, channelId: LEAST_ID }, skipped, limit }: RoomPage,
): Promise<Place[]> {
  const rows = await database.query<Place & { parentId: string | null }>(sql`
    select room.space_id as "tenantId", room.id as "channelId", room.thread_of as "parentId"
    from (
      select space_id, room.id, days, null::uuid as thread_of from (${keptRooms}) as room
      union all
      select room.space_id, thread_rooms.id, days, room.id
      from (${keptRooms}) as room join thread_rooms
        on thread_rooms.space_id = room.space_id and thread_rooms.room_id = room.id
    ) as room join spaces on spaces.id = room.space_id
    where (room.space_id, room.id) > (${after.tenantId}::uuid, ${after.channelId}::uuid)
      and room.id <> all(${skipped}::uuid[])
      and held_at is null and frozen_at is null and deleted_at is null and exists (
      select from messages where tenant_id = room.space_id and channel_id = room.id and messages.id < ${firstKept})
    order by room.space_id, room.id limit ${limit}`)
  return rows.map(({ parentId, ...place }) => (parentId === null ? place : { ...place, parentId }))
}

/**
 * Blocks legal holds and changes of retention until the transaction ends: once such a request is answered, no message
 * is deleted by the earlier settings.
 * @returns false for a space that is held, frozen or deleted
 */
export async function keepUnheld(transaction: Queryable, spaceId: string): Promise<boolean> {
  const rows = await transaction.query(sql`
    select from spaces
    where id = ${spaceId} and held_at is null and frozen_at is null and deleted_at is null
    for share`)
  return rows.length > 0
}

/** Lists messages past their room's retention, oldest first. Call it under the lock of `keepUnheld`. */
export async function listAged(transaction: Queryable, place: Place, limit: number): Promise<string[]> {
  const { tenantId, channelId } = place
  const rows = await transaction.query<{ id: string }>(sql`
    select messages.id
    from (
      select coalesce(rooms.retention_days, spaces.retention_days) as days
      from spaces join rooms on space_id = spaces.id
      where spaces.id = ${tenantId} and rooms.id = ${roomOf(place)}
    ) as kept join messages on messages.id < ${firstKept}
    where tenant_id = ${tenantId} and channel_id = ${channelId}
    order by messages.id limit ${limit}`)
  return rows.map(({ id }) => id)
}
