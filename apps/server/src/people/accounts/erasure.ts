import { leaveConversations } from '#src/conversations/actions/members.ts'
import { lockGroupsOf } from '#src/conversations/change-queries.ts'
import { endExportsBy } from '#src/exports/endings.ts'
import { discardTenant } from '#src/files/objects/tenants.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { publishSessionEnd } from '#src/kernel/database/session-events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import type { Bus } from '#src/kernel/journal/bus.ts'
import { endAppealsBy } from '#src/moderation/bans/appeals/actions/ending.ts'
import { deleteCaughtOf } from '#src/moderation/screening/held-queries.ts'
import { forgetNameInLog } from '#src/operating/operators/log.ts'
import { deleteMailTokens } from '#src/people/auth/mail-tokens.ts'
import { endRelations } from '#src/people/friends/actions.ts'
import { anonymise } from '#src/people/users/actions.ts'
import { lockUsers } from '#src/people/users/queries.ts'
import { endImportsBy } from '#src/space-archives/imports/endings.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { removeMember } from '#src/spaces/actions/spaces.ts'
import { publishDoor } from '#src/spaces/door/actions.ts'
import { FORGET_ACCOUNT } from './jobs.ts'
import {
  deleteCredentialsOf,
  deleteNotificationSettingsOf,
  endWaitingOf,
  isMemberElsewhere,
  lockSpacesOf,
} from './queries.ts'

export interface ErasureDeps {
  database: Database
  bus: Bus
}

/** Extra work in a transaction of an erasure. */
export type Step = (transaction: Transaction) => Promise<void>

export interface Steps {
  /** Runs in the first transaction, before anything is deleted. */
  begin?: Step | undefined
  /** Work specific to the kind of account, in the transaction that ends it. */
  close: Step
}

/** Maximum spaces that the account leaves per transaction. All stay locked for 40 to 100 ms, as measured. */
const SPACES_AT_ONCE = 100

interface Erasure {
  userId: string
  /** Spaces that the account has left so far, over all transactions. */
  leftSpaceIds: string[]
  /** Undefined once its transaction has committed. */
  begin: Step | undefined
  close: Step
}

/**
 * Erases the account of a person or a bot: credentials, memberships and personal data. This takes one transaction, or
 * several for more than a hundred spaces. An interrupted erasure can be repeated.
 * @throws ApiError 401 for a deleted account, 400 for an owner of a space
 */
export async function eraseAccount(
  { database }: ErasureDeps,
  userId: string,
  { begin, close }: Steps,
): Promise<void> {
  const erasure: Erasure = { userId, leftSpaceIds: [], begin, close }
  let isEnded = false
  while (!isEnded) {
    isEnded = await database.transaction((transaction) => leaveAndEnd(transaction, erasure))
    erasure.begin = undefined
  }
}

/** The account's spaces and groups that the transaction has locked. */
interface Held {
  spaceIds: readonly string[]
  groupIds: readonly string[]
}

/** @returns true when nothing is left to do */
async function leaveAndEnd(transaction: Transaction, erasure: Erasure): Promise<boolean> {
  const { userId, leftSpaceIds, begin } = erasure
  const { spaceIds, groupIds } = await holdAccount(transaction, userId)
  await begin?.(transaction)
  leftSpaceIds.push(...spaceIds)
  // False if the next transaction must leave more spaces or groups, such as one joined before the account was locked.
  const isLast = !(await isMemberElsewhere(transaction, userId, [...spaceIds, ...groupIds]))
  if (isLast) await end(transaction, erasure)
  for (const spaceId of spaceIds) await leave(transaction, spaceId, userId)
  if (!isLast) return false
  await leaveConversations(transaction, userId, groupIds)
  publishSessionEnd(transaction, userId, await deleteCredentialsOf(transaction, userId))
  return true
}

async function leave(transaction: Transaction, spaceId: string, userId: string): Promise<void> {
  await removeMember(transaction, spaceId, userId)
  await deleteCaughtOf(transaction, spaceId, [userId])
  const actor = { spaceId, caller: { user: { id: userId } } }
  await record(transaction, actor, 'member_leave', { type: 'user', id: userId })
}

/**
 * Locks rows in the same order as other transactions, to prevent deadlocks: joining locks the space or the group before
 * the user; a mailed link locks its token before the user.
 */
async function holdAccount(transaction: Transaction, userId: string): Promise<Held> {
  const spaces = await lockSpacesOf(transaction, userId, SPACES_AT_ONCE)
  if (spaces.some(({ is_owned }) => is_owned)) throw new ApiError('owns_spaces')
  const groupIds = await lockGroupsOf(transaction, userId)
  await deleteMailTokens(transaction, userId)
  await lockUsers(transaction, [userId])
  return { spaceIds: spaces.map(({ id }) => id), groupIds }
}

async function end(transaction: Transaction, { userId, leftSpaceIds, close }: Erasure): Promise<void> {
  await close(transaction)
  await endRelations(transaction, userId)
  await deleteNotificationSettingsOf(transaction, userId)
  await endAppealsBy(transaction, userId)
  await endExportsBy(transaction, userId)
  await endImportsBy(transaction, userId)
  for (const spaceId of await endWaitingOf(transaction, userId)) await publishDoor(transaction, spaceId)
  const isErased = await anonymise(transaction, userId, leftSpaceIds)
  if (!isErased) throw new ApiError('authentication_required')
  await forgetNameInLog(transaction, userId)
  await discardTenant(transaction, userId)
  await enqueueJob(transaction, FORGET_ACCOUNT, { user_id: userId })
}
