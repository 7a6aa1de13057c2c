import type { Ban, BanBody } from '@foyer/protocol/bans'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { firstIdAt, newId } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { findUsers } from '#src/people/users/queries.ts'
import { type HeldSpace, holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { removeMember } from '#src/spaces/actions/spaces.ts'
import { endWaiting } from '#src/spaces/door/actions.ts'
import { checkOutranks } from '#src/spaces/hierarchy.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { endAppeal } from './appeals/actions/ending.ts'
import { deleteAppealsOf } from './appeals/queries.ts'
import { deleteBanRow, findBan, insertBans, saveBan } from './queries.ts'

interface Deps {
  database: Database
}

/**
 * Checks that the caller may ban the user, member or not.
 * @throws ApiError 404 for a user that does not exist or was deleted, 403 for a member that the caller does not outrank
 */
export async function checkBannable(database: Queryable, access: SpaceAccess, userId: string): Promise<void> {
  const [user] = await findUsers(database, [userId])
  if (user === undefined || user.deleted_at !== null) throw new ApiError('unknown_user')
  const [member] = await findMembers(database, access.spaceId, [userId])
  if (member !== undefined) checkOutranks(access, member)
}

/**
 * Ends the user's membership, if any, and keeps them from returning. Banning again changes the reason.
 * @throws ApiError with the errors of `checkBannable`
 */
export async function banUser(
  { database }: Deps,
  access: SpaceAccess,
  userId: string,
  { reason, delete_seconds = 0 }: BanBody,
): Promise<Ban> {
  const { spaceId, caller } = access
  return database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, 'BanMembers')
    await checkBannable(transaction, held, userId)
    const before = await findBan(transaction, spaceId, userId)
    const ban = { space_id: spaceId, user_id: userId, reason: reason || null, banned_by: caller.user.id }
    const isNew = await saveBan(transaction, ban)
    // A new ban can be appealed again.
    if (before === undefined) await deleteAppealsOf(transaction, spaceId, [userId])
    await removeMember(transaction, spaceId, userId)
    await endWaiting(transaction, spaceId, userId)
    if (delete_seconds > 0) await deleteMessagesOf(transaction, ban, delete_seconds)
    const saved = await findBan(transaction, spaceId, userId)
    if (saved === undefined) throw new Error('a ban that was just saved cannot be read')
    if (isNew) transaction.publish(event(topicOf.space(spaceId), 'SPACE_BAN_CREATE', saved))
    if (isNew || delete_seconds > 0) {
      const after = delete_seconds > 0 ? { ...saved, delete_seconds } : saved
      await record(transaction, held, 'ban_create', { type: 'user', id: userId, before, after, reason })
    }
    return saved
  })
}

/** Bans users who are not members. Writes no audit log entries for them: the caller logs its own action. */
export async function banAll(
  transaction: Transaction,
  { spaceId, caller }: HeldSpace,
  userIds: readonly string[],
): Promise<void> {
  const bans = await insertBans(transaction, spaceId, userIds, caller.user.id)
  const bannedIds = bans.map(({ user_id }) => user_id)
  await deleteAppealsOf(transaction, spaceId, bannedIds)
  for (const ban of bans) transaction.publish(event(topicOf.space(spaceId), 'SPACE_BAN_CREATE', ban))
}

/** @throws ApiError 404 for a user who is not banned */
export async function unbanUser({ database }: Deps, access: SpaceAccess, userId: string): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access, 'BanMembers')
    await liftBan(transaction, held, userId)
    await endAppeal(transaction, held.spaceId, userId)
  })
}

/** @throws ApiError 404 for a user who is not banned */
export async function liftBan(transaction: Transaction, held: HeldSpace, userId: string): Promise<void> {
  const { spaceId } = held
  const ban = await findBan(transaction, spaceId, userId)
  if (ban === undefined) throw new ApiError('unknown_ban')
  await deleteBanRow(transaction, spaceId, userId)
  const lifted = { space_id: spaceId, user_id: userId }
  transaction.publish(event(topicOf.space(spaceId), 'SPACE_BAN_DELETE', lifted))
  await record(transaction, held, 'ban_delete', { type: 'user', id: userId, before: ban })
}

/** Deletes only messages sent before the ban: if it is lifted before the job runs, later messages stay. */
async function deleteMessagesOf(
  transaction: Queryable,
  { space_id, user_id }: Pick<Ban, 'space_id' | 'user_id'>,
  seconds: number,
): Promise<void> {
  const after = firstIdAt(Date.now() - seconds * 1000)
  const of = { space_id, users: [{ user_id, after }], after, before: newId() }
  await enqueueJob(transaction, 'delete_messages_of_users', of)
}
