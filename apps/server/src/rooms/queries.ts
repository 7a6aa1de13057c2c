import type { Room } from '@foyer/protocol/rooms'
import type { Queryable } from '#src/kernel/sql.ts'
import type { SpaceAccess } from '#src/spaces/access.ts'
import { listRooms } from '#src/spaces/queries.ts'
import { visibleRooms } from '#src/spaces/snapshots.ts'

/** The rooms that the caller may view, each with the newest `seq`, which the snapshot does not follow. */
export async function listVisibleRooms(database: Queryable, access: SpaceAccess): Promise<Room[]> {
  const { snapshot, member, spaceId } = access
  const visible = new Set(visibleRooms(snapshot, member).map((room) => room.id))
  const rooms = await listRooms(database, [spaceId])
  return rooms.filter((room) => visible.has(room.id))
}
