import { outranks } from '@foyer/protocol/hierarchy'
import type { Member } from '@foyer/protocol/members'
import { ApiError } from '#src/kernel/errors.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { SpaceAccess } from './access.ts'
import { findMembers } from './queries.ts'
import { subjectOf } from './snapshots.ts'

/**
 * Finds a member that the caller outranks and so may rename, kick or ban.
 * @throws ApiError 404 for outsiders, 403 for members that the caller does not outrank
 */
export async function findMemberBelow(
  database: Queryable,
  access: SpaceAccess,
  userId: string,
): Promise<Member> {
  const [member] = await findMembers(database, access.spaceId, [userId])
  if (member === undefined) throw new ApiError('unknown_member')
  checkOutranks(access, member)
  return member
}

/** @throws ApiError 403 for members that the caller does not outrank. These include the owner, and the caller */
export function checkOutranks({ snapshot, member: caller }: SpaceAccess, target: Member): void {
  const isBelow = outranks(subjectOf(snapshot, caller), subjectOf(snapshot, target))
  if (!isBelow) throw new ApiError('member_not_below')
}
