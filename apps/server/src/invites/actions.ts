import type { CreateInviteBody, InviteCode } from '@foyer/protocol/invites'
import { MAX_WORKING_INVITES } from '@foyer/protocol/limits'
import { has, Permission } from '@foyer/protocol/permissions'
import type { Space } from '@foyer/protocol/spaces'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { ScreeningDeps } from '#src/moderation/screening/actions/consequences.ts'
import { screenJoining } from '#src/moderation/screening/names.ts'
import { findUsers } from '#src/people/users/queries.ts'
import { accessRoomIn, checkNotFrozen, holdSpace, refusalOf, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { addMember } from '#src/spaces/actions/spaces.ts'
import { receive, type Way } from '#src/spaces/door/actions.ts'
import { closesInRaid } from '#src/spaces/door/sensor.ts'
import { isBanned, lockSpace } from '#src/spaces/membership.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { newInviteCode } from './codes.ts'
import {
  countUse,
  countWorkingInvites,
  deleteInvitesOf,
  deleteWorkingInvite,
  findWorkingInvite,
  insertInvite,
  isNameTaken,
} from './queries.ts'

export type InviteDeps = ScreeningDeps

/** @throws ApiError 400 at the limit of valid invites per space and for a taken name, 403 for a name without ManageInvites */
export async function createInvite(
  { database }: InviteDeps,
  access: SpaceAccess,
  roomId: string,
  { max_age = 0, max_uses = 0, temporary = false, name }: CreateInviteBody,
): Promise<InviteCode> {
  const { spaceId, caller } = access
  return database.transactionIn(spaceId, async (transaction) => {
    // Check again: the room, or the right to invite to it, may be gone.
    const held = await holdSpace(transaction, access)
    accessRoomIn(held, roomId, Permission.CreateInvites)
    const mayName = has(held.permissions, Permission.ManageInvites)
    if (name !== undefined && !mayName) throw refusalOf(held)
    const working = await countWorkingInvites(transaction, spaceId)
    if (working >= MAX_WORKING_INVITES) throw new ApiError('too_many_invites')
    if (name !== undefined && (await isNameTaken(transaction, name))) throw new ApiError('name_taken')
    const invite = await insertInvite(transaction, {
      id: newId(),
      code: name ?? newInviteCode(),
      space_id: spaceId,
      room_id: roomId,
      inviter_id: caller.user.id,
      max_age,
      max_uses,
      temporary,
    })
    transaction.publish(event(topicOf.space(spaceId), 'SPACE_INVITE_CREATE', invite))
    await record(transaction, held, 'invite_create', { type: 'invite', id: invite.id, roomId, after: invite })
    return invite
  })
}

/** @throws ApiError 404 for an invite that belongs to another space or is no longer valid */
export async function revokeInvite(
  { database }: InviteDeps,
  access: SpaceAccess,
  inviteId: string,
): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, Permission.ManageInvites)
    const { spaceId } = held
    const invite = await deleteWorkingInvite(transaction, spaceId, inviteId)
    if (invite === undefined) throw new ApiError('unknown_invite')
    publishDeletion(transaction, invite)
    const target = { type: 'invite', id: inviteId, roomId: invite.room_id } as const
    await record(transaction, held, 'invite_delete', { ...target, before: invite })
  })
}

/**
 * Makes the caller a member of the invite's space. Changes nothing for an existing member.
 * @throws ApiError 404 for an invalid invite; 403 if the caller is banned, has names that a rule refuses, or has to wait
 * for a moderator
 */
export async function joinByInvite(deps: InviteDeps, caller: Caller, code: string): Promise<Space> {
  const { database } = deps
  const known = await findWorkingInvite(database, code)
  if (known === undefined) throw new ApiError('unknown_invite')
  const isScreened = await screenNewMember(deps, known.space_id, caller)
  const joined = await database.transactionIn(known.space_id, async (transaction) => {
    // The invite is read again, because it may have been revoked.
    const invite = await findWorkingInvite(transaction, code)
    const space = invite && (await lockSpace(transaction, invite.space_id))
    if (invite === undefined || space === undefined) throw new ApiError('unknown_invite')
    if (await isBanned(transaction, space.id, caller.user.id)) throw new ApiError('banned')
    checkNotFrozen(space)
    const way = await comeToDoor(transaction, space, caller, invite)
    if (way !== 'in') return way
    const isNew = await addMember(transaction, space.id, caller.user, invite.temporary)
    if (isNew && isScreened) await checkUnchanged(transaction, caller)
    if (isNew) await useInvite(transaction, caller, invite)
    return space
  })
  // Thrown after the commit: the transaction may have closed the space to new members, which must not be undone.
  if (joined === 'wait') throw new ApiError('must_wait')
  if (joined === 'away') throw new ApiError('door_closed')
  return joined
}

/** Decides whether the caller may join. Existing members always may. */
async function comeToDoor(
  transaction: Transaction,
  space: Space,
  { user }: Caller,
  { temporary: isTemporary }: InviteCode,
): Promise<Way> {
  const [member] = await findMembers(transaction, space.id, [user.id])
  if (member !== undefined) return 'in'
  const isClosed = space.door_closed_at !== null || (await closesInRaid(transaction, space, user.id))
  return receive(transaction, space, { userId: user.id, isTemporary, isClosed })
}

/** Checks that the user's names have not changed since the rules checked them. Joining has locked the names. */
async function checkUnchanged(transaction: Transaction, { user }: Caller): Promise<void> {
  const [now] = await findUsers(transaction, [user.id])
  const isSame = now?.username === user.username && now.alias === user.alias && now.custom === user.custom
  if (!isSame) throw new ApiError('changed_since')
}

/** @returns whether the rules of the space have checked the names of the caller */
async function screenNewMember(deps: InviteDeps, spaceId: string, { user }: Caller): Promise<boolean> {
  if (!(await deps.screening.hasRules(spaceId))) return false
  const [member] = await findMembers(deps.database, spaceId, [user.id])
  if (member !== undefined) return false
  // The ban is checked before the rules, because the rules record refusals.
  if (await isBanned(deps.database, spaceId, user.id)) throw new ApiError('banned')
  await screenJoining(deps, spaceId, user)
  return true
}

/** Counts the use on the invite's own row, which orders joins and revocations. The last use ends the invite. */
async function useInvite(transaction: Transaction, caller: Caller, invite: InviteCode): Promise<void> {
  const used = await countUse(transaction, invite)
  if (used === undefined) throw new ApiError('unknown_invite')
  const { space_id: spaceId, id } = used
  const joined = { type: 'user', id: caller.user.id, after: { invite_id: id } } as const
  await record(transaction, { spaceId, caller }, 'member_join', joined)
  if (used.max_uses === 0 || used.uses < used.max_uses) return
  await deleteWorkingInvite(transaction, spaceId, id)
  publishDeletion(transaction, used)
}

/** Revokes the invites of users who are removed. */
export async function revokeInvitesOf(
  transaction: Transaction,
  spaceId: string,
  userIds: readonly string[],
): Promise<void> {
  for (const invite of await deleteInvitesOf(transaction, spaceId, userIds))
    publishDeletion(transaction, invite)
}

function publishDeletion(transaction: Transaction, { space_id, id: invite_id, code }: InviteCode): void {
  const gone = { space_id, invite_id, code }
  transaction.publish(event(topicOf.space(space_id), 'SPACE_INVITE_DELETE', gone))
}
