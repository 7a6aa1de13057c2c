import type { TakeBackBody, WayBack } from '@foyer/protocol/way-back'
import type { Transaction } from '#src/kernel/database/database.ts'
import { publishSessionEnd } from '#src/kernel/database/session-events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { networkOf } from '#src/kernel/http/network-of.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { isUniqueViolation } from '#src/kernel/sql/unique-violation.ts'
import { isLocked } from '#src/operating/operators/queries.ts'
import { publishUserUpdate } from '#src/people/users/actions.ts'
import { deleteSessionsOf } from '#src/people/users/queries.ts'
import type { AuthDeps } from '../deps.ts'
import { forgetDevices } from '../devices/queries.ts'
import { deleteMailTokens } from '../mail-tokens.ts'
import { takeSpaceGroups } from '../oidc/space-groups.ts'
import type { MailRecipient } from '../queries.ts'
import { lockTotp } from '../second-factors/queries.ts'
import {
  findWayBack,
  findWayBackOwner,
  lockOwner,
  removeLaterKeys,
  restoreTotp,
  restoreUser,
  type Snapshot,
  spendWayBack,
} from './queries.ts'

/** @throws ApiError 400 for a token that is unknown, used, replaced or expired */
export async function showWayBack({ database }: AuthDeps, token: string): Promise<WayBack> {
  const wayBack = await findWayBack(database, token)
  if (wayBack === undefined) throw new ApiError('invalid_token')
  return wayBack
}

/**
 * Undoes a change and all later ones: restores address and second factor, sets a new password, and ends all sessions.
 * @throws ApiError 400 for an invalid token, 403 for an account that operators locked, 409 if another account has the
 * earlier address now
 */
export async function takeBack(
  { database, passwords }: AuthDeps,
  { token, password }: TakeBackBody,
  address: string,
): Promise<void> {
  if ((await findWayBackOwner(database, token)) === undefined) throw new ApiError('invalid_token')
  const passwordHash = await passwords.hash(password, networkOf(address))
  try {
    await database.transaction(async (transaction) => {
      const { owner, snapshot } = await spend(transaction, token)
      await restore(transaction, snapshot, passwordHash)
      await notify(transaction, owner, snapshot)
    })
  } catch (error) {
    throw isUniqueViolation(error, 'users_email') ? new ApiError('former_email_taken') : error
  }
}

/** Spends the token. Locks in the same order as the changes: the other mailed tokens, the user, the app, the snapshots. */
async function spend(
  transaction: Transaction,
  token: string,
): Promise<{ owner: MailRecipient; snapshot: Snapshot }> {
  const userId = await findWayBackOwner(transaction, token)
  if (userId === undefined) throw new ApiError('invalid_token')
  // Mailed links may have been requested by the intruder whom the owner is locking out.
  await deleteMailTokens(transaction, userId)
  const owner = await lockOwner(transaction, userId)
  await lockTotp(transaction, userId)
  const snapshot = await spendWayBack(transaction, token)
  if (owner === undefined || snapshot === undefined) throw new ApiError('invalid_token')
  if (await isLocked(transaction, userId)) throw new ApiError('account_locked')
  return { owner, snapshot }
}

async function restore(transaction: Transaction, snapshot: Snapshot, passwordHash: string): Promise<void> {
  const { user_id: userId } = snapshot
  const user = await restoreUser(transaction, snapshot, passwordHash)
  await restoreTotp(transaction, snapshot)
  for (const issuer of await removeLaterKeys(transaction, snapshot))
    await takeSpaceGroups(transaction, userId, issuer)
  await forgetDevices(transaction, userId)
  if (user !== undefined) await publishUserUpdate(transaction, user)
  // After the password: a login with the old password either waits for this transaction, or its session is deleted here.
  publishSessionEnd(transaction, userId, await deleteSessionsOf(transaction, userId, undefined))
}

/** Mails the replaced address as well: it may be the true owner's, if an intruder reads the restored one. */
async function notify(
  transaction: Transaction,
  { id, username, email }: MailRecipient,
  snapshot: Snapshot,
): Promise<void> {
  await enqueueJob(transaction, 'mail_taken_back', { user_id: id })
  if (email.toLowerCase() !== snapshot.email.toLowerCase())
    await enqueueJob(transaction, 'mail_email_changed', { email, username })
}
