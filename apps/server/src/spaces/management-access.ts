import { Permission } from '@foyer/protocol/permissions'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import {
  accessSpace,
  checkNotFrozen,
  type HeldSpace,
  holdSpace,
  isHeldBack,
  type SpaceAccess,
} from './access.ts'
import type { Snapshots } from './snapshots.ts'

/**
 * Checks that the caller may change the space itself.
 * @throws ApiError 403 for everyone but the owner and administrators. Members, outsiders and callers who name an unknown
 * space get the same error, as the specification requires
 */
export function accessManagedSpace(
  snapshots: Snapshots,
  caller: Caller,
  spaceId: string,
): Promise<SpaceAccess> {
  return managersOnly(accessSpace(snapshots, caller, spaceId, Permission.Administrator))
}

/** Like `holdSpace`, but only for the owner and administrators. */
export function holdManagedSpace(transaction: Queryable, access: SpaceAccess): Promise<HeldSpace> {
  return managersOnly(holdSpace(transaction, access, Permission.Administrator))
}

/** @throws ApiError 403 for outsiders, and with another code for members who do not own the space */
export async function accessOwnedSpace(
  snapshots: Snapshots,
  caller: Caller,
  spaceId: string,
): Promise<SpaceAccess> {
  return ownersOnly(await accessSpace(snapshots, caller, spaceId))
}

/** Like `holdSpace`, but only for the owner. */
export async function holdOwnedSpace(transaction: Queryable, access: SpaceAccess): Promise<HeldSpace> {
  return ownersOnly(await holdSpace(transaction, access))
}

const OTHER_REASONS: ReadonlySet<string> = new Set(['space_frozen', 'second_factor_needed'])

async function managersOnly<Access>(asked: Promise<Access>): Promise<Access> {
  try {
    return await asked
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 403 && !OTHER_REASONS.has(error.code)
    throw isRefused ? new ApiError('cannot_manage_space') : error
  }
}

function ownersOnly<Access extends SpaceAccess>(access: Access): Access {
  if (access.snapshot.space.owner_id !== access.caller.user.id) throw new ApiError('owner_only')
  checkNotFrozen(access.snapshot.space)
  if (isHeldBack(access)) throw new ApiError('second_factor_needed')
  return access
}
