import type { ChangePasswordBody } from '@foyer/protocol/auth'
import { publishSessionEnd } from '#src/kernel/database/session-events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { deleteSessionsOf } from '#src/users/queries.ts'
import type { AuthDeps } from '../deps.ts'
import { deleteMailTokens } from '../mail-tokens.ts'
import { replacePassword } from '../queries.ts'
import { checkProof } from '../second-factors/proof.ts'
import type { OwnSession } from '../session-of.ts'

/**
 * Replaces the password and ends the user's other sessions.
 * @throws ApiError as `checkProof`, also for a password changed in the meantime
 */
export async function changePassword(
  deps: AuthDeps,
  { userId, sessionId }: OwnSession,
  { new_password, ...proof }: ChangePasswordBody,
): Promise<void> {
  const oldHash = await checkProof(deps, userId, proof)
  const newHash = await deps.passwords.hash(new_password, userId)
  await deps.database.transaction(async (transaction) => {
    const isReplaced = await replacePassword(transaction, { userId, oldHash, newHash })
    if (!isReplaced) throw new ApiError('wrong_password')
    // The links may have been requested by the intruder whom the owner is locking out.
    await deleteMailTokens(transaction, userId)
    // After the password: a login with the old one either waits for this transaction or is deleted here.
    publishSessionEnd(transaction, userId, await deleteSessionsOf(transaction, userId, sessionId))
  })
}
