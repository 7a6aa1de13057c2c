import type { Member } from '@foyer/protocol/members'
import type { Role, RoomOverwrite } from '@foyer/protocol/roles'
import type { Room } from '@foyer/protocol/rooms'
import type { Space, SpaceState } from '@foyer/protocol/spaces'
import type { Queryable } from '#src/kernel/sql.ts'
import { countMembers, findSpaces, listMemberships, listOverwrites, listRoles, listRooms } from './queries.ts'
import { makeSnapshot, type SpaceSnapshot, visibleRooms } from './snapshots.ts'

/**
 * Spaces as their member may see them: what READY and SPACE_CREATE carry. Seven queries, whatever the number of spaces.
 * @param spaceIds those to look at, or null for all that the user is a member of
 */
export async function listSpaceStates(
  database: Queryable,
  userId: string,
  spaceIds: readonly string[] | null = null,
): Promise<SpaceState[]> {
  const ids = spaceIds ?? (await listMemberships(database, userId)).map((member) => member.space_id)
  // Before the rest: a room, a role or a member that goes meanwhile must not be seen without what hides rooms.
  const overwrites = await listOverwrites(database, ids)
  const [memberships, counts, spaces, rooms, roles] = await Promise.all([
    listMemberships(database, userId, ids),
    countMembers(database, ids),
    findSpaces(database, ids),
    listRooms(database, ids),
    listRoles(database, ids),
  ])
  const snapshots = makeSnapshots(spaces, { rooms, roles, overwrites })
  const countOf = new Map(counts.map(({ id, member_count }) => [id, member_count]))
  return memberships.flatMap((member) => {
    const snapshot = snapshots.get(member.space_id)
    return snapshot ? [stateOf(snapshot, member, countOf.get(member.space_id) ?? 0)] : []
  })
}

interface Parts {
  rooms: readonly Room[]
  roles: readonly Role[]
  overwrites: readonly (RoomOverwrite & { space_id: string })[]
}

function makeSnapshots(
  spaces: readonly Space[],
  { rooms, roles, overwrites }: Parts,
): ReadonlyMap<string, SpaceSnapshot> {
  const roomsOf = Map.groupBy(rooms, (room) => room.space_id)
  const rolesOf = Map.groupBy(roles, (role) => role.space_id)
  const overwritesOf = Map.groupBy(overwrites, (overwrite) => overwrite.space_id)
  const entries = spaces.map((space) => {
    const parts = {
      rooms: roomsOf.get(space.id) ?? [],
      roles: rolesOf.get(space.id) ?? [],
      overwrites: overwritesOf.get(space.id) ?? [],
    }
    return [space.id, makeSnapshot(space, parts)] as const
  })
  return new Map(entries)
}

function stateOf(snapshot: SpaceSnapshot, member: Member, memberCount: number): SpaceState {
  const rooms = visibleRooms(snapshot, member)
  return {
    ...snapshot.space,
    rooms,
    overwrites: rooms.flatMap((room) => snapshot.overwrites.get(room.id) ?? []),
    roles: [...snapshot.roles.values()],
    emojis: [],
    stickers: [],
    member,
    member_count: memberCount,
    voice_states: [],
  }
}
