import type { ProofBody } from '@foyer/protocol/second-factors'
import { deleteApplicationsOf } from '#src/integrations/applications/actions.ts'
import { hasApplications } from '#src/integrations/applications/queries.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { leaveOperators } from '#src/operating/operators/actions.ts'
import { checkProof, type ProofDeps } from '#src/people/auth/owner-proofs/check.ts'
import type { OwnSession } from '#src/people/auth/session-of.ts'
import { type ErasureDeps, eraseAccount, type Step } from './erasure.ts'
import { ownsSpaces } from './queries.ts'

export type AccountDeps = ProofDeps & ErasureDeps

/**
 * Deletes the person's own account. Even the last operator can do so, and leaves the server without an operator.
 * @throws ApiError with the errors of `checkProof`, and 400 while the person owns a space
 */
export async function deleteAccount(deps: AccountDeps, session: OwnSession, proof: ProofBody): Promise<void> {
  const { userId } = session
  await checkProof(deps, session, proof)
  if (await ownsSpaces(deps.database, userId)) throw new ApiError('owns_spaces')
  await endAccount(deps, userId)
}

/**
 * Deletes an account on behalf of its owner.
 * @param begin work before the first deletion, in the same transaction
 * @throws ApiError 400 while the user owns a space, 401 for a deleted account
 */
export async function deleteAccountOf(deps: ErasureDeps, userId: string, begin: Step): Promise<void> {
  if (await ownsSpaces(deps.database, userId)) throw new ApiError('user_owns_spaces')
  await endAccount(deps, userId, begin)
}

/**
 * Ends an account: nobody can sign in again, nothing personal remains, and messages have an anonymous author.
 * Applications are deleted first, one by one, because their bots may be in more spaces than one transaction can
 * leave. An interrupted deletion can be repeated.
 */
async function endAccount(deps: ErasureDeps, userId: string, begin?: Step): Promise<void> {
  const isToBegin = await deleteApplicationsOf(deps, userId, begin)
  const close = async (transaction: Transaction) => {
    // An application may have been created in the meantime.
    if (await hasApplications(transaction, userId)) throw new ApiError('unavailable')
    await leaveOperators(transaction, userId)
  }
  await eraseAccount(deps, userId, { begin: isToBegin ? begin : undefined, close })
}
