import type { ChangeEmailSendBody } from '@foyer/protocol/auth'
import { ApiError } from '#src/kernel/errors.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { canonicalAddress } from '#src/kernel/mail/addresses.ts'
import { isUniqueViolation } from '#src/kernel/sql/unique-violation.ts'
import { checkDomain } from '#src/people/registration/admission.ts'
import { publishUserUpdate } from '#src/people/users/actions.ts'
import type { AuthClient } from '../client.ts'
import type { AuthDeps } from '../deps.ts'
import type { LinkHost } from '../link-host.ts'
import { spendMailToken } from '../mail-tokens.ts'
import { checkProof } from '../owner-proofs/check.ts'
import { isEmailTaken, lockEmail, replaceEmail } from '../queries.ts'
import type { OwnSession } from '../session-of.ts'
import { keepWayBack } from '../way-back/snapshots.ts'

/**
 * Mails a link to the new address.
 * @throws ApiError with the errors of `checkProof`; 400 for an address in use; 403 for an address whose mail domain is
 * not accepted
 */
export async function sendEmailChange(
  deps: AuthDeps,
  session: OwnSession,
  { email: given, ...proof }: ChangeEmailSendBody,
  linkHost: LinkHost | undefined,
): Promise<void> {
  const email = canonicalAddress(given)
  checkDomain(await deps.registration.current(), email)
  const { userId } = session
  await checkProof(deps, session, proof)
  // An early error only: confirming the change decides whether the address is free.
  if (await isEmailTaken(deps.database, email, userId)) throw new ApiError('email_taken')
  await deps.database.transaction((transaction) =>
    enqueueJob(transaction, 'mail_email_change', { user_id: userId, email, link_host: linkHost }),
  )
}

/**
 * Changes the address with the token mailed to the new address, and mails the way back to the old address.
 * @throws ApiError 400 for an invalid token, or an address taken in the meantime
 */
export async function changeEmail({ database }: AuthDeps, token: string, client: AuthClient): Promise<void> {
  try {
    await database.transaction(async (transaction) => {
      const owner = await spendMailToken(transaction, 'change-email', token)
      if (owner === undefined || !(await lockEmail(transaction, owner.user_id)))
        throw new ApiError('invalid_token')
      await keepWayBack(transaction, owner.user_id, 'email_changed', client)
      await publishUserUpdate(transaction, await replaceEmail(transaction, owner))
    })
  } catch (error) {
    throw isUniqueViolation(error, 'users_email') ? new ApiError('email_taken') : error
  }
}
