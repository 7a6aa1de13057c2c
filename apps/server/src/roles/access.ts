import { isBelow } from '@foyer/protocol/hierarchy'
import type { Role } from '@foyer/protocol/roles'
import { ApiError } from '#src/kernel/errors.ts'
import type { SpaceAccess } from '#src/spaces/access.ts'
import { subjectOf } from '#src/spaces/snapshots.ts'

/**
 * Finds a role that the caller outranks.
 * @throws ApiError 404 for a role of another space, 403 for a role that is not below the caller's highest role
 */
export function accessRole(space: SpaceAccess, roleId: string): Role {
  const role = space.snapshot.roles.get(roleId)
  if (role === undefined) throw new ApiError('unknown_role')
  checkBelow(space, role.position)
  return role
}

/** @throws ApiError 403 for a position not below the caller's highest role */
export function checkBelow({ snapshot, member }: SpaceAccess, position: number): void {
  if (!isBelow(subjectOf(snapshot, member), position)) throw new ApiError('role_not_below')
}

/**
 * Refuses the role @everyone, which cannot be assigned, removed or deleted.
 * @throws ApiError 400 for @everyone
 */
export function refuseEveryone({ spaceId }: SpaceAccess, roleId: string): void {
  if (roleId === spaceId) throw new ApiError('everyone_is_fixed')
}
