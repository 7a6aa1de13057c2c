import type { RoomOverwrite } from '@foyer/protocol/roles'
import type { RankedMember, SpaceSnapshot } from '#src/spaces/snapshots.ts'

/**
 * Returns a function that lists the rooms whose visibility to a member may differ between two snapshots. For most members
 * there are few: rooms with unchanged overwrites matter only if a role of the member, or the owner, changed.
 */
export function compareRooms(
  before: SpaceSnapshot,
  after: SpaceSnapshot,
  rooms: ReadonlySet<string>,
): (member: RankedMember) => readonly string[] {
  const all = [...rooms]
  const changed = all.filter(
    (roomId) => !after.rooms.has(roomId) || !haveSameOverwrites(before, after, roomId),
  )
  const concerned = changedSubjects(before, after)
  return ({ user_id, roles }) => {
    const isConcerned = [before.space.id, user_id, ...roles].some((id) => concerned.has(id))
    return isConcerned ? all : changed
  }
}

function haveSameOverwrites(before: SpaceSnapshot, after: SpaceSnapshot, roomId: string): boolean {
  const [old, fresh] = [before.overwrites.get(roomId) ?? [], after.overwrites.get(roomId) ?? []]
  return old.length === fresh.length && old.every((overwrite, index) => isSame(overwrite, fresh[index]))
}

function isSame(one: RoomOverwrite, other: RoomOverwrite | undefined): boolean {
  return (
    one.target_id === other?.target_id &&
    one.allow_flags === other.allow_flags &&
    one.deny_flags === other.deny_flags
  )
}

/** Returns the roles whose permissions changed, and both owners if the owner changed. */
function changedSubjects(before: SpaceSnapshot, after: SpaceSnapshot): ReadonlySet<string> {
  const roles = [...before.roles.keys(), ...after.roles.keys()]
  const changed = roles.filter((id) => before.roles.get(id)?.permissions !== after.roles.get(id)?.permissions)
  const owners = [before.space.owner_id, after.space.owner_id]
  return new Set(owners[0] === owners[1] ? changed : [...changed, ...owners])
}
