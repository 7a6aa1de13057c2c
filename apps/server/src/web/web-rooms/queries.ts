import type { RoomOnWeb } from '@foyer/protocol/on-web'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Days between the notice to the members and the time when earlier messages become readable. */
const DAYS_OF_NOTICE = 7

/** A room of a space. */
interface Place {
  spaceId: string
  roomId: string
}

/** The owner's choices for a public room. */
export interface WebChoices {
  readonly backwards: boolean
  readonly isIndexed: boolean
}

/** Returns the state of a public room, even while the server allows no public pages. */
export async function findWebRoom(
  database: Queryable,
  { spaceId, roomId }: Place,
): Promise<RoomOnWeb | undefined> {
  const [row] = await database.query<RoomOnWeb>(sql`
    select since, whole_from, is_indexed from web_rooms where space_id = ${spaceId} and room_id = ${roomId}`)
  return row
}

export async function insertWebRoom(
  transaction: Queryable,
  { spaceId, roomId, openedBy }: Place & { openedBy: string },
  { backwards, isIndexed }: WebChoices,
): Promise<RoomOnWeb | undefined> {
  const [row] = await transaction.query<RoomOnWeb>(sql`
    insert into web_rooms (space_id, room_id, opened_by, is_indexed, whole_from)
    values (${spaceId}, ${roomId}, ${openedBy}, ${isIndexed},
      case when ${backwards}::boolean then now() + make_interval(days => ${DAYS_OF_NOTICE}) end)
    returning since, whole_from, is_indexed`)
  return row
}

export async function updateWebRoom(
  transaction: Queryable,
  { spaceId, roomId }: Place,
  { backwards, isIndexed }: WebChoices,
): Promise<RoomOnWeb | undefined> {
  const [row] = await transaction.query<RoomOnWeb>(sql`
    update web_rooms set
      is_indexed = ${isIndexed},
      whole_from = case when ${backwards}::boolean
        then coalesce(whole_from, now() + make_interval(days => ${DAYS_OF_NOTICE})) end
    where space_id = ${spaceId} and room_id = ${roomId}
    returning since, whole_from, is_indexed`)
  return row
}

export async function deleteWebRoom(transaction: Queryable, { spaceId, roomId }: Place): Promise<void> {
  await transaction.query(sql`delete from web_rooms where space_id = ${spaceId} and room_id = ${roomId}`)
}

/** Lists a page of spaces with public rooms, by id. */
export async function listSpacesOnWeb(database: Queryable, after: string, limit: number): Promise<string[]> {
  const rows = await database.query<{ space_id: string }>(sql`
    select distinct space_id from web_rooms where space_id > ${after} order by space_id limit ${limit}`)
  return rows.map((row) => row.space_id)
}

export async function listRoomsOnWeb(database: Queryable, spaceId: string): Promise<string[]> {
  const rows = await database.query<{ room_id: string }>(sql`
    select room_id from web_rooms where space_id = ${spaceId} order by room_id`)
  return rows.map((row) => row.room_id)
}
