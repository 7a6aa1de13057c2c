import { MAX_SPACE_OVERWRITES } from '@foyer/protocol/limits'
import { OverwriteTarget } from '@foyer/protocol/permissions'
import type { RoomOverwrite, UpsertOverwriteBody } from '@foyer/protocol/roles'
import { ApiError } from '#src/kernel/errors.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { HeldSpace } from './access.ts'
import { findMembers } from './queries.ts'

type Target = Pick<UpsertOverwriteBody, 'target_id' | 'target_type'>

/** @throws ApiError 404 for a target that is neither a role nor a member of the space */
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
 * Limits a space's overwrites, because every change of the space loads all of them and clients hold those of visible
 * rooms.
 * @param added number of new overwrites
 * @throws ApiError 400 above the limit
 */
export function checkSpaceHasRoom({ snapshot }: HeldSpace, added: number): void {
  const inSpace = [...snapshot.overwrites.values()].reduce((sum, { length }) => sum + length, 0)
  checkOverwrites(inSpace + added)
}

/** @throws ApiError 400 above the limit of overwrites per space */
export function checkOverwrites(count: number): void {
  if (count > MAX_SPACE_OVERWRITES) throw new ApiError('too_many_space_overwrites')
}

/** Copies field by field, so that unknown fields of the body are dropped. */
export function overwriteOf(room_id: string, body: UpsertOverwriteBody): RoomOverwrite {
  const {
    target_id,
    target_type,
    allow_flags,
    deny_flags,
    allow_capabilities = 0,
    deny_capabilities = 0,
  } = body
  return { room_id, target_id, target_type, allow_flags, deny_flags, allow_capabilities, deny_capabilities }
}
