import { MAX_GROUPS } from '@foyer/protocol/limits'
import type { User } from '@foyer/protocol/users'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { countGroups, listApproachable } from './queries.ts'

/** @throws ApiError 403 if one of the users is a stranger or a block exists; the error is the same for both */
export async function checkApproachable(
  transaction: Transaction,
  userId: string,
  otherIds: readonly string[],
): Promise<void> {
  const approachable = await listApproachable(transaction, userId, otherIds)
  if (approachable.length < otherIds.length) throw new ApiError('cannot_converse')
}

/** @throws ApiError 403 if one of the users is a bot */
export function checkPeople(users: readonly User[]): void {
  if (users.some(({ is_bot }) => is_bot)) throw new ApiError('bots_in_groups')
}

/**
 * Checks the limit of groups per user, which exists because READY carries them all.
 * @param userIds locked users, so that they cannot join more groups
 * @throws ApiError 400 if one of them is at the limit
 */
export async function checkGroupCounts(transaction: Transaction, userIds: readonly string[]): Promise<void> {
  if ((await countGroups(transaction, userIds)) >= MAX_GROUPS) throw new ApiError('too_many_groups')
}
