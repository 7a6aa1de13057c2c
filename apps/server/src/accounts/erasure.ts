import { deleteMailTokens } from '#src/auth/mail-tokens.ts'
import { leaveConversations } from '#src/conversations/actions-members.ts'
import { lockGroupsOf } from '#src/conversations/change-queries.ts'
import { discardTenant } from '#src/files/tenants.ts'
import { endRelations } from '#src/friends/actions.ts'
import type { Bus } from '#src/kernel/bus.ts'
import type { Database, Transaction } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { publishSessionEnd } from '#src/kernel/session-events.ts'
import { removeMember } from '#src/spaces/actions.ts'
import { anonymise } from '#src/users/actions.ts'
import { lockUsers } from '#src/users/queries.ts'
import {
  deleteCredentialsOf,
  deleteNotificationSettingsOf,
  isMemberElsewhere,
  lockSpacesOf,
} from './queries.ts'

export interface ErasureDeps {
  database: Database
  bus: Bus
}

/** What belongs to the kind of the account: it is called in the transaction that ends the account. */
export type Close = (transaction: Transaction) => Promise<void>

/** That one transaction leaves. It holds them all meanwhile: for 40 to 100 ms, as measured. */
const SPACES_AT_ONCE = 100

interface Erasure {
  userId: string
  /** The spaces that earlier transactions left. */
  leftSpaceIds: string[]
  close: Close
}

/**
 * Ends the account of a person or a bot: credentials, memberships, and all that is personal. It is one transaction, for
 * who is in more than a hundred spaces the last of several. What breaks off leaves an account that can be ended anew.
 * @throws ApiError 401 for an account that is gone, 400 for who owns a space
 */
export async function eraseAccount({ database }: ErasureDeps, userId: string, close: Close): Promise<void> {
  const erasure: Erasure = { userId, leftSpaceIds: [], close }
  let isEnded = false
  while (!isEnded) isEnded = await database.transaction((transaction) => leaveAndEnd(transaction, erasure))
}

/** What the transaction holds of the account. */
interface Held {
  spaceIds: readonly string[]
  groupIds: readonly string[]
}

/** @returns whether nothing is left to do */
async function leaveAndEnd(transaction: Transaction, erasure: Erasure): Promise<boolean> {
  const { userId, leftSpaceIds } = erasure
  const { spaceIds, groupIds } = await holdAccount(transaction, userId)
  leftSpaceIds.push(...spaceIds)
  // Also one that came between the two locks: the next transaction then knows of it.
  const isLast = !(await isMemberElsewhere(transaction, userId, [...spaceIds, ...groupIds]))
  if (isLast) await end(transaction, erasure)
  for (const spaceId of spaceIds) await removeMember(transaction, spaceId, userId)
  if (!isLast) return false
  await leaveConversations(transaction, userId, groupIds)
  publishSessionEnd(transaction, userId, await deleteCredentialsOf(transaction, userId))
  return true
}

/**
 * Locks as others do, or they would wait for each other in a circle: who joins, the space or the group before the user; a
 * link in a mail, its token before the user.
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
  const isErased = await anonymise(transaction, userId, leftSpaceIds)
  if (!isErased) throw new ApiError('authentication_required')
  await discardTenant(transaction, userId)
}
