import type { Member, UpdateMemberBody } from '@foyer/protocol/members'
import { Permission } from '@foyer/protocol/permissions'
import type { Database } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { removeMember } from '#src/spaces/actions/spaces.ts'
import { findMemberBelow } from '#src/spaces/hierarchy.ts'
import { lockSpace } from '#src/spaces/membership.ts'
import { saveNickname } from './queries.ts'

interface Deps {
  database: Database
}

/** Returns the permission needed to change a nickname: one's own or another member's. */
export function nicknamePermission(callerId: string, memberId: string): number {
  return callerId === memberId ? Permission.ChangeNickname : Permission.ManageRoles
}

/**
 * Finds a member whose nickname the caller may change.
 * @throws ApiError 404 for outsiders, 403 for other members that the caller does not outrank
 */
export async function accessNickname(
  database: Queryable,
  access: SpaceAccess,
  memberId: string,
): Promise<Member> {
  if (memberId === access.caller.user.id) return access.member
  return findMemberBelow(database, access, memberId)
}

/**
 * Changes a nickname; null clears it. Publishes nothing if nothing changed.
 * @throws ApiError as `accessNickname`
 */
export async function updateMember(
  { database }: Deps,
  access: SpaceAccess,
  memberId: string,
  { nickname }: UpdateMemberBody,
): Promise<Member> {
  const { caller, spaceId } = access
  return database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, nicknamePermission(caller.user.id, memberId))
    const member = await accessNickname(transaction, held, memberId)
    if (nickname === undefined || nickname === member.nickname) return member
    const renamed = { ...member, nickname }
    await saveNickname(transaction, renamed)
    transaction.publish(event(topicOf.space(spaceId), 'SPACE_MEMBER_UPDATE', renamed))
    return renamed
  })
}

/** Ends the caller's own membership. Their messages stay. */
export async function leaveSpace({ database }: Deps, access: SpaceAccess): Promise<void> {
  const { caller, spaceId } = access
  await database.transactionIn(access.spaceId, async (transaction) => {
    const space = await lockSpace(transaction, spaceId)
    if (space?.owner_id === caller.user.id) throw new ApiError('owner_cannot_leave')
    const removed = await removeMember(transaction, spaceId, caller.user.id)
    if (!removed) throw new ApiError('not_a_member')
  })
}

/**
 * Ends a membership as leaving does.
 * @throws ApiError 404 for outsiders, 403 for members that the caller does not outrank
 */
export async function kickMember({ database }: Deps, access: SpaceAccess, memberId: string): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, Permission.Administrator)
    await findMemberBelow(transaction, held, memberId)
    await removeMember(transaction, held.spaceId, memberId)
  })
}
