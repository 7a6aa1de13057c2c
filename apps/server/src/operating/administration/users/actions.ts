import type { LockBody, OperatorUser } from '@foyer/protocol/operators'
import { deleteApplication } from '#src/integrations/applications/actions.ts'
import { findApplication } from '#src/integrations/applications/queries.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { publishCredentialChange, publishSessionEnd } from '#src/kernel/database/session-events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { holdOperator, type OperatorAccess } from '#src/operating/operators/access.ts'
import { endOperator, retireOperator } from '#src/operating/operators/actions.ts'
import { logOperation, type Operation, reasonOf } from '#src/operating/operators/log.ts'
import { lockOperators } from '#src/operating/operators/queries.ts'
import { deleteAccountOf } from '#src/people/accounts/actions.ts'
import type { ErasureDeps } from '#src/people/accounts/erasure.ts'
import { deleteMailTokens } from '#src/people/auth/mail-tokens.ts'
import { removeAllPasskeys } from '#src/people/auth/passkeys/actions.ts'
import { unconfirmWithoutFactors } from '#src/people/auth/second-factors/confirmed-sessions.ts'
import { endSecondFactor } from '#src/people/auth/second-factors/proof.ts'
import { publishUserUpdate } from '#src/people/users/actions.ts'
import { deleteSessionsOf, findCurrentUser, lockCurrentUser } from '#src/people/users/queries.ts'
import { findUserOf, listBotIdsOf, markLocked, markUnlocked } from './queries.ts'

export type UserAdministrationDeps = ErasureDeps

/**
 * Locks the account. Its sessions and those of its bots end everywhere, and it cannot log in. An operator loses the
 * operator role. Messages stay. Repeating the lock ends the sessions again.
 * @throws ApiError 404 for a deleted account, 409 for the last operator
 */
export async function lockUser(
  { database }: UserAdministrationDeps,
  access: OperatorAccess,
  userId: string,
  { reason }: LockBody,
): Promise<OperatorUser> {
  return database.transaction(async (transaction) => {
    // Deletes the mailed tokens before locking the user: the request of a mailed link locks in the same order.
    await deleteMailTokens(transaction, userId)
    const user = await lockCurrentUser(transaction, userId)
    if (user === undefined) throw new ApiError('unknown_user')
    await lockOperators(transaction)
    await holdOperator(transaction, access)
    const isNew = await markLocked(transaction, userId, reasonOf(access, reason))
    await endCredentials(transaction, userId, user.is_bot)
    if (!isNew) return read(transaction, userId)
    const wasOperator = await endOperator(transaction, access, user)
    const entry = { action: 'user_lock', type: 'user', id: userId, name: user.username, reason } as const
    await logOperation(transaction, access, entry)
    const changed = wasOperator ? await findCurrentUser(transaction, userId) : undefined
    if (changed !== undefined) await publishUserUpdate(transaction, changed)
    return read(transaction, userId)
  })
}

/** Lets the account log in again. A former operator stays without the operator role. */
export async function unlockUser(
  deps: UserAdministrationDeps,
  access: OperatorAccess,
  userId: string,
): Promise<OperatorUser> {
  return changeUser(deps, access, { userId, action: 'user_unlock' }, async (transaction) => {
    if (!(await markUnlocked(transaction, userId))) return false
    for (const id of [userId, ...(await listBotIdsOf(transaction, userId))])
      publishCredentialChange(transaction, id)
    return true
  })
}

/**
 * Removes the second factor and the passkeys of a user who lost their devices, so that the password alone is enough. A
 * new holder of the devices could use the passkeys. The user gets a mail about both.
 */
export async function removeSecondFactor(
  deps: UserAdministrationDeps,
  access: OperatorAccess,
  userId: string,
): Promise<OperatorUser> {
  return changeUser(deps, access, { userId, action: 'user_second_factor_remove' }, async (transaction) => {
    const hadFactor = await endSecondFactor(transaction, userId)
    const hadPasskeys = await removeAllPasskeys(transaction, userId)
    await unconfirmWithoutFactors(transaction, userId)
    return hadFactor || hadPasskeys
  })
}

/**
 * Locks the row of a user, makes a change, and logs it.
 * @param change returns false if there was nothing to change
 */
async function changeUser(
  { database }: UserAdministrationDeps,
  access: OperatorAccess,
  { userId, action }: { userId: string; action: Operation['action'] },
  change: (transaction: Transaction) => Promise<boolean>,
): Promise<OperatorUser> {
  return database.transaction(async (transaction) => {
    const user = await lockCurrentUser(transaction, userId)
    if (user === undefined) throw new ApiError('unknown_user')
    await holdOperator(transaction, access)
    if (await change(transaction))
      await logOperation(transaction, access, { action, type: 'user', id: userId, name: user.username })
    return read(transaction, userId)
  })
}

/**
 * Deletes an account as its owner could, or a bot with its application.
 * @throws ApiError 404 for a deleted account, 400 for an owner of spaces, 409 for the last operator
 */
export async function deleteUser(
  deps: UserAdministrationDeps,
  access: OperatorAccess,
  userId: string,
): Promise<void> {
  const found = await findUserOf(deps.database, userId)
  if (found === undefined) throw new ApiError('unknown_user')
  const { username, is_bot } = found.user
  // Checked and logged in the transaction of the first deletion: an operator who has lost their rights deletes nothing,
  // and no deletion goes unlogged.
  const begin = async (transaction: Queryable) => {
    if (is_bot) await holdOperator(transaction, access)
    else await retireOperator(transaction, access, userId)
    await logOperation(transaction, access, deletionOf(userId, username))
  }
  if (!is_bot) return deleteAccountOf(deps, userId, begin)
  const application = await findApplication(deps.database, userId)
  if (application === undefined) throw new ApiError('unknown_user')
  return deleteApplication(deps, application, begin)
}

function deletionOf(id: string, name: string): Operation {
  return { action: 'user_delete', type: 'user', id, name }
}

/** Ends the sessions of a user and of their bots. A bot has no session: its own id identifies its connections. */
async function endCredentials(transaction: Transaction, userId: string, isBot: boolean): Promise<void> {
  publishSessionEnd(transaction, userId, await deleteSessionsOf(transaction, userId, undefined))
  const botIds = isBot ? [userId] : await listBotIdsOf(transaction, userId)
  for (const id of botIds) publishSessionEnd(transaction, id, [id])
}

async function read(transaction: Transaction, userId: string): Promise<OperatorUser> {
  const user = await findUserOf(transaction, userId)
  if (user === undefined) throw new ApiError('unknown_user')
  return user
}
