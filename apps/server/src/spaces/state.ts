import type { Member } from '@foyer/protocol/members'
import type { SpaceState } from '@foyer/protocol/spaces'
import type { Queryable } from '#src/kernel/sql.ts'
import { countMembers, findSpaces, listMemberships, listOverwrites, listRoles, listRooms } from './queries.ts'
import { makeSnapshot, type SpaceSnapshot, visibleRooms } from './snapshots.ts'

/**
 * Spaces as their member may see them: what READY and SPACE_CREATE carry. Six queries, whatever the number of spaces.
 * @param spaceIds those to look at, or null for all that the user is a member of
 */
export async function listSpaceStates(
  database: Queryable,
  userId: string,
  spaceIds: readonly string[] | null = null,
): Promise<SpaceState[]> {
  const memberships = await listMemberships(database, userId, spaceIds)
  const ids = memberships.map((member) => member.space_id)
  const snapshots = await loadSnapshots(database, ids)
  const counts = new Map(
    (await countMembers(database, ids)).map(({ id, member_count }) => [id, member_count]),
  )
  return memberships.flatMap((member) => {
    const snapshot = snapshots.get(member.space_id)
    return snapshot ? [stateOf(snapshot, member, counts.get(member.space_id) ?? 0)] : []
  })
}

async function loadSnapshots(
  database: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SpaceSnapshot>> {
  const [spaces, rooms, roles, overwrites] = await Promise.all([
    findSpaces(database, ids),
    listRooms(database, ids),
    listRoles(database, ids),
    listOverwrites(database, ids),
  ])
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
