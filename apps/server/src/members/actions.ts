import { Capability } from '@foyer/protocol/capabilities'
import type { Member, UpdateMemberBody } from '@foyer/protocol/members'
import { has, Permission } from '@foyer/protocol/permissions'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { ScreeningDeps } from '#src/moderation/screening/actions/consequences.ts'
import { changed, screenNames } from '#src/moderation/screening/names.ts'
import { holdSpace, refusalOf, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { removeMember } from '#src/spaces/actions/spaces.ts'
import { findMemberBelow } from '#src/spaces/hierarchy.ts'
import { lockSpace } from '#src/spaces/membership.ts'
import { saveNickname } from './queries.ts'

type Deps = ScreeningDeps

/**
 * Finds a member whose nickname the caller may change: their own with ChangeNickname, others' with ManageRoles or
 * ManageNicknames.
 * @throws ApiError 403 without the right and for other members that the caller does not outrank, 404 for outsiders
 */
export async function accessNickname(
  database: Queryable,
  access: SpaceAccess,
  memberId: string,
): Promise<Member> {
  const isOwn = memberId === access.caller.user.id
  const mayRename = isOwn ? has(access.permissions, Permission.ChangeNickname) : mayRenameOthers(access)
  if (!mayRename) throw refusalOf(access)
  if (isOwn) return access.member
  return findMemberBelow(database, access, memberId)
}

function mayRenameOthers({ permissions, capabilities }: SpaceAccess): boolean {
  return has(permissions, Permission.ManageRoles) || has(capabilities, Capability.ManageNicknames)
}

/**
 * Changes a nickname; null clears it. Publishes nothing if nothing changed.
 * @throws ApiError with the errors of `accessNickname`, and 403 for a nickname that a rule of the space refuses
 */
export async function updateMember(
  deps: Deps,
  access: SpaceAccess,
  memberId: string,
  { nickname }: UpdateMemberBody,
): Promise<Member> {
  const { spaceId } = access
  const isOwn = memberId === access.caller.user.id
  const before = isOwn ? access.member.nickname : undefined
  await screenNames(deps, access, { source: 'nickname' }, [changed(before, nickname)])
  return deps.database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access)
    const member = await accessNickname(transaction, held, memberId)
    if (nickname === undefined || nickname === member.nickname) return member
    const renamed = { ...member, nickname }
    await saveNickname(transaction, renamed)
    transaction.publish(event(topicOf.space(spaceId), 'SPACE_MEMBER_UPDATE', renamed))
    const target = { type: 'user', id: memberId } as const
    await record(transaction, held, 'member_update', { ...target, before: member, after: renamed })
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
    await record(transaction, access, 'member_leave', { type: 'user', id: caller.user.id })
  })
}

/**
 * Ends another user's membership, with the same effects as `leaveSpace`.
 * @throws ApiError 404 for outsiders, 403 for members that the caller does not outrank
 */
export async function kickMember({ database }: Deps, access: SpaceAccess, memberId: string): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, 'KickMembers')
    await findMemberBelow(transaction, held, memberId)
    await removeMember(transaction, held.spaceId, memberId)
    await record(transaction, held, 'member_kick', { type: 'user', id: memberId })
  })
}
