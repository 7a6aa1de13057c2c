import { areKnownCapabilities } from '@foyer/protocol/capabilities'
import { areKnownFlags, has, type PermissionOverwrite, type RightFlags } from '@foyer/protocol/permissions'
import { ApiError } from '#src/kernel/errors.ts'

/** @throws ApiError 400 for unknown permissions or capabilities */
export function checkFlags({ permissions, capabilities }: RightFlags): void {
  if (!areKnownFlags(permissions)) throw new ApiError('unknown_flags')
  if (!areKnownCapabilities(capabilities)) throw new ApiError('unknown_capabilities')
}

/** @throws ApiError 400 for unknown permissions or capabilities */
export function checkOverwriteFlags(overwrite: PermissionOverwrite): void {
  checkFlags(allowedBy(overwrite))
  checkFlags(deniedBy(overwrite))
}

/**
 * @param held the caller's rights where the change applies
 * @param wanted rights that the caller gives or takes
 * @throws ApiError 403 for a right that the caller does not have
 */
export function checkHolds(held: RightFlags, wanted: RightFlags): void {
  const isHeld = has(held.permissions, wanted.permissions) && has(held.capabilities, wanted.capabilities)
  if (!isHeld) throw new ApiError('permission_not_held')
}

/** Returns the rights that `overwrite` allows or denies, without those that `before` already allowed or denied. */
export function newlySet(
  before: PermissionOverwrite | undefined,
  overwrite: PermissionOverwrite,
): RightFlags {
  const allowed = without(allowedBy(overwrite), before && allowedBy(before))
  const denied = without(deniedBy(overwrite), before && deniedBy(before))
  return {
    permissions: allowed.permissions | denied.permissions,
    capabilities: allowed.capabilities | denied.capabilities,
  }
}

/** Returns the rights in `one` that are not in `other`. */
export function without(one: RightFlags, other: RightFlags | undefined): RightFlags {
  if (other === undefined) return one
  return {
    permissions: one.permissions & ~other.permissions,
    capabilities: one.capabilities & ~other.capabilities,
  }
}

function allowedBy({ allow_flags, allow_capabilities = 0 }: PermissionOverwrite): RightFlags {
  return { permissions: allow_flags, capabilities: allow_capabilities }
}

function deniedBy({ deny_flags, deny_capabilities = 0 }: PermissionOverwrite): RightFlags {
  return { permissions: deny_flags, capabilities: deny_capabilities }
}
