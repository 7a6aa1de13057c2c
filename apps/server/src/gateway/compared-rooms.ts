import type { RoomOverwrite } from '@foyer/protocol/roles'
import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'

/**
 * The rooms that somebody may view in one snapshot and not in the other. Rooms that are new are left out: they come with
 * an event of their own.
 */
export function roomsToCompare(before: SpaceSnapshot, after: SpaceSnapshot): string[] {
  const rooms = [...before.rooms.keys()]
  if (!haveSameRoles(before, after)) return rooms
  return rooms.filter((roomId) => !after.rooms.has(roomId) || !haveSameOverwrites(before, after, roomId))
}

function haveSameRoles(before: SpaceSnapshot, after: SpaceSnapshot): boolean {
  if (before.space.owner_id !== after.space.owner_id || before.roles.size !== after.roles.size) return false
  return [...before.roles.values()].every(
    ({ id, permissions }) => after.roles.get(id)?.permissions === permissions,
  )
}

function haveSameOverwrites(before: SpaceSnapshot, after: SpaceSnapshot, roomId: string): boolean {
  const [old, fresh] = [before.overwrites.get(roomId) ?? [], after.overwrites.get(roomId) ?? []]
  const known = new Set(old.map(textOf))
  return old.length === fresh.length && fresh.every((overwrite) => known.has(textOf(overwrite)))
}

function textOf({ target_id, target_type, allow_flags, deny_flags }: RoomOverwrite): string {
  return `${target_id} ${target_type} ${allow_flags} ${deny_flags}`
}
