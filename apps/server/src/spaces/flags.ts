import { areKnownFlags, has } from '@foyer/protocol/permissions'
import { ApiError } from '#src/kernel/errors.ts'

/** @throws ApiError 400 for bits outside of the permission table */
export function checkFlags(...flags: readonly number[]): void {
  if (!flags.every(areKnownFlags)) throw new ApiError('unknown_flags')
}

/**
 * @param held the caller's permissions where the change applies
 * @param wanted permissions that the caller gives or takes
 * @throws ApiError 403 for a permission that the caller does not have
 */
export function checkHolds(held: number, wanted: number): void {
  if (!has(held, wanted)) throw new ApiError('permission_not_held')
}
