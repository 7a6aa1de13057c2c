import { MAX_GROUPS } from '@foyer/protocol/limits'
import type { User } from '@foyer/protocol/users'
import type { Transaction } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { countGroups, listApproachable } from './queries.ts'

/** @throws ApiError 403 where one of the others is a stranger or behind a block, which look the same */
export async function checkApproachable(
  transaction: Transaction,
  userId: string,
  otherIds: readonly string[],
): Promise<void> {
  const approachable = await listApproachable(transaction, userId, otherIds)
  if (approachable.length < otherIds.length) throw new ApiError('cannot_converse')
}

/** @throws ApiError 403 where one of them is a bot */
export function checkPeople(users: readonly User[]): void {
  if (users.some(({ is_bot }) => is_bot)) throw new ApiError('bots_in_groups')
}

/**
 * READY carries all of them.
 * @param userIds users who are held, so that nobody adds them to another group meanwhile
 * @throws ApiError 400 where one of them is in as many groups as they may
 */
export async function checkGroupCounts(transaction: Transaction, userIds: readonly string[]): Promise<void> {
  if ((await countGroups(transaction, userIds)) >= MAX_GROUPS) throw new ApiError('too_many_groups')
}
