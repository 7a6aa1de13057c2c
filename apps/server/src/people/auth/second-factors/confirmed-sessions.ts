import type { Transaction } from '#src/kernel/database/database.ts'
import { publishCredentialChange, publishSessionChange } from '#src/kernel/database/session-events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { OwnSession } from '../session-of.ts'
import { OWN_REFUSALS, type SecondFactorDeps, withCode } from './proof.ts'
import { hasSecondFactor, markConfirmed, markUnconfirmed } from './queries.ts'

/**
 * Gives the session a second factor, as a login with a code does.
 * @throws ApiError 400 for a wrong code, and for an account without an app; 429 after ten wrong codes within 15 minutes
 */
export async function confirmSession(
  deps: SecondFactorDeps,
  session: OwnSession,
  code: string,
): Promise<void> {
  await withCode(deps, session.userId, { code, refusals: OWN_REFUSALS }, (spend) =>
    deps.database.transaction(async (transaction) => {
      if (!(await spend(transaction))) throw new ApiError('no_second_factor')
      await confirm(transaction, session)
    }),
  )
}

/** Gives the session the second factor that its person has just proved. */
export async function confirm(transaction: Transaction, { userId, sessionId }: OwnSession): Promise<void> {
  await markConfirmed(transaction, sessionId)
  publishCredentialChange(transaction, userId)
}

/**
 * Removes the second factor from the sessions of an account that no longer has one. The caller has locked the user, and
 * made the change.
 */
export async function unconfirmWithoutFactors(transaction: Transaction, userId: string): Promise<void> {
  if (await hasSecondFactor(transaction, userId)) return
  publishSessionChange(transaction, userId, await markUnconfirmed(transaction, userId))
}
