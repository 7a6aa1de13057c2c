import type { ProofBody } from '@foyer/protocol/second-factors'
import { ApiError } from '#src/kernel/errors.ts'
import { hashToken } from '#src/kernel/ids.ts'
import { checkPassword, type PasswordCheckDeps } from '#src/people/users/password-check.ts'
import { findPasswordHash } from '#src/people/users/queries.ts'
import { OWN_REFUSALS, type SecondFactorDeps, withCode } from '../second-factors/proof.ts'
import type { OwnSession } from '../session-of.ts'
import { spendProof } from './queries.ts'

export type ProofDeps = SecondFactorDeps & PasswordCheckDeps

/**
 * Verifies that the account's owner is present, for actions that a stolen session must not allow. It accepts the password
 * or a fresh proof, plus a code if the account has an authenticator app. A passkey needs no code, as at a login.
 * @returns the stored hash of the password; null if the account has none
 * @throws ApiError 400 for a wrong password, an invalid proof, or a missing or wrong code; 429 after ten failures within
 * 15 minutes
 */
export async function checkProof(
  deps: ProofDeps,
  session: OwnSession,
  given: ProofBody,
): Promise<string | null> {
  const { userId } = session
  const { database } = deps
  const { code, proof } = given
  const isFresh = proof !== undefined
  const hash = isFresh ? await findPasswordHash(database, userId) : await checkGiven(deps, userId, given)
  await withCode(deps, userId, { code, refusals: OWN_REFUSALS }, (spend) =>
    database.transaction(async (transaction) => {
      const kind = isFresh ? await spendProof(transaction, session, hashToken(proof)) : 'password'
      if (kind === undefined) throw new ApiError('proof_ended')
      // A missing or wrong code keeps the proof: the transaction ends without a change.
      if (kind !== 'passkey') await spend(transaction)
    }),
  )
  return hash
}

/** Checks the password. A request without one does not count as an attempt. */
async function checkGiven(deps: ProofDeps, userId: string, { password }: ProofBody): Promise<string> {
  if (password !== undefined) return checkPassword(deps, userId, password)
  const hasPassword = (await findPasswordHash(deps.database, userId)) !== null
  throw hasPassword ? new ApiError('invalid_request', 'password is required') : new ApiError('no_password')
}
