import {
  has,
  Permission,
  type PermissionOverwrite,
  type PermissionRole,
  roomPermissions,
} from './permissions.ts'

const { ViewChannels } = Permission

/**
 * What of a room's overwrites decides who views it: rooms of one space for which it is the same are viewed by the same members.
 * @param overwrites those of the room, in any order
 */
export function viewKey(overwrites: readonly PermissionOverwrite[]): string {
  const deciding = overwrites.filter(({ allow_flags, deny_flags }) =>
    has(allow_flags | deny_flags, ViewChannels),
  )
  const targets = deciding.map(
    ({ target_id, allow_flags }) => `${target_id} ${has(allow_flags, ViewChannels)}`,
  )
  return targets.sort().join()
}

/** Of a space, what decides what those may do who have no role but @everyone. */
export interface SpaceForAll {
  readonly id: string
  readonly owner_id: string
  readonly everyone: readonly PermissionRole[]
}

/**
 * Whether every member of the space views the room: so it is with most rooms.
 * @param overwrites those of the room, in any order
 */
export function isViewedByAll(
  { id, owner_id, everyone }: SpaceForAll,
  overwrites: readonly PermissionOverwrite[],
): boolean {
  const isHiddenFromSome = overwrites.some(
    ({ target_id, allow_flags, deny_flags }) =>
      target_id !== id && has(deny_flags, ViewChannels) && !has(allow_flags, ViewChannels),
  )
  const withoutRole = { userId: '', ownerId: owner_id, spaceId: id, roles: everyone }
  return !isHiddenFromSome && has(roomPermissions(withoutRole, overwrites), ViewChannels)
}
