import {
  has,
  Permission,
  type PermissionOverwrite,
  type PermissionRole,
  roomPermissions,
} from './permissions.ts'

const { ViewChannels } = Permission

/**
 * Returns a key of the overwrites that decide who views a room. Rooms of one space with the same key have the same
 * viewers.
 * @param overwrites the room's overwrites, in any order
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

/** The part of a space that decides the permissions of members with only @everyone. */
export interface SpaceForAll {
  readonly id: string
  readonly owner_id: string
  readonly everyone: readonly PermissionRole[]
}

/**
 * Returns whether every member of the space views the room, as is the case for most rooms.
 * @param overwrites the room's overwrites, in any order
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
