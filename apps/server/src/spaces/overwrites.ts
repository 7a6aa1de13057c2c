import { MAX_SPACE_OVERWRITES } from '@foyer/protocol/limits'
import { OverwriteTarget } from '@foyer/protocol/permissions'
import type { RoomOverwrite, UpsertOverwriteBody } from '@foyer/protocol/roles'
import { ApiError } from '#src/kernel/errors.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import type { HeldSpace } from './access.ts'
import { findMembers } from './queries.ts'

type Target = Pick<UpsertOverwriteBody, 'target_id' | 'target_type'>

/** @throws ApiError 404 for a target that is no role or no member of the space */
export async function checkTargets(
  transaction: Queryable,
  { snapshot, spaceId }: HeldSpace,
  targets: readonly Target[],
): Promise<void> {
  const idsOf = (type: number) =>
    targets.filter(({ target_type }) => target_type === type).map(({ target_id }) => target_id)
  if (idsOf(OverwriteTarget.Role).some((id) => !snapshot.roles.has(id))) throw new ApiError('unknown_role')
  const memberIds = new Set(idsOf(OverwriteTarget.Member))
  if (memberIds.size === 0) return
  const members = await findMembers(transaction, spaceId, [...memberIds])
  if (members.length < memberIds.size) throw new ApiError('unknown_member')
}

/**
 * Every change of the space reads all of its overwrites, and every client holds those of the rooms it may view.
 * @param added how many come to those that there are
 * @throws ApiError 400 when the space would have more than it may
 */
export function checkSpaceHasRoom({ snapshot }: HeldSpace, added: number): void {
  const inSpace = [...snapshot.overwrites.values()].reduce((sum, { length }) => sum + length, 0)
  checkOverwrites(inSpace + added)
}

/** @throws ApiError 400 for more overwrites than a space may have */
export function checkOverwrites(count: number): void {
  if (count > MAX_SPACE_OVERWRITES) throw new ApiError('too_many_space_overwrites')
}

/** Field by field: whatever else the body has stays out. */
export function overwriteOf(room_id: string, body: UpsertOverwriteBody): RoomOverwrite {
  const { target_id, target_type, allow_flags, deny_flags } = body
  return { room_id, target_id, target_type, allow_flags, deny_flags }
}
