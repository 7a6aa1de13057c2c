import type { ResetPasswordBody } from '@foyer/protocol/auth'
import { publishSessionEnd } from '#src/kernel/database/session-events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { networkOf } from '#src/kernel/http/network-of.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { canonicalAddress } from '#src/kernel/mail/addresses.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { isLocked } from '#src/operating/operators/queries.ts'
import { deleteSessionsOf } from '#src/people/users/queries.ts'
import type { AuthClient } from '../client.ts'
import type { AuthDeps } from '../deps.ts'
import type { LinkHost } from '../link-host.ts'
import { isMailToken, spendMailToken } from '../mail-tokens.ts'
import { updatePassword } from '../queries.ts'
import { keepWayBack } from '../way-back/snapshots.ts'

/** Mails the signed-in user a link for setting a new password. */
export async function sendPasswordReset(
  { database }: AuthDeps,
  userId: string,
  linkHost: LinkHost | undefined,
): Promise<void> {
  await database.transaction((transaction) =>
    enqueueJob(transaction, 'mail_password_reset', { user_id: userId, link_host: linkHost }),
  )
}

/**
 * Mails a reset link to an address, if it has an account. A job looks up the account, so that the response time does not
 * reveal whether there is one.
 */
export async function forgotPassword(
  { database, attempts }: AuthDeps,
  given: string,
  linkHost: LinkHost | undefined,
): Promise<void> {
  const email = canonicalAddress(given)
  if (!(await attempts.take('forgotPassword', email))) return
  await database.transaction((transaction) =>
    enqueueJob(transaction, 'mail_forgotten_password', { email, link_host: linkHost }),
  )
}

/**
 * Sets the password with a mailed token, and ends the user's sessions except the caller's own.
 * @throws ApiError 400 for an invalid token, 403 for an account that operators locked
 */
export async function resetPassword(
  { database, passwords }: AuthDeps,
  { token, password }: ResetPasswordBody,
  { caller, client }: { caller: Caller | undefined; client: AuthClient },
): Promise<void> {
  if (!(await isMailToken(database, 'reset-password', token))) throw new ApiError('invalid_token')
  const passwordHash = await passwords.hash(password, networkOf(client.address))
  await database.transaction(async (transaction) => {
    const owner = await spendMailToken(transaction, 'reset-password', token)
    if (owner !== undefined) await keepWayBack(transaction, owner.user_id, 'password_reset', client)
    const userId = owner && (await updatePassword(transaction, owner, passwordHash))
    if (userId === undefined) throw new ApiError('invalid_token')
    if (await isLocked(transaction, userId)) throw new ApiError('account_locked')
    // After the password: a login with the old password either waits for this transaction, or its session is deleted
    // here.
    const keptId = caller?.kind === 'human' ? caller.sessionId : undefined
    publishSessionEnd(transaction, userId, await deleteSessionsOf(transaction, userId, keptId))
  })
}
