import type { ChangePasswordBody } from '@foyer/protocol/auth'
import { publishSessionEnd } from '#src/kernel/database/session-events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { deleteSessionsOf } from '#src/people/users/queries.ts'
import type { AuthClient } from '../client.ts'
import type { AuthDeps } from '../deps.ts'
import { deleteMailTokens } from '../mail-tokens.ts'
import { checkProof } from '../owner-proofs/check.ts'
import { replacePassword } from '../queries.ts'
import type { OwnSession } from '../session-of.ts'
import { keepWayBack } from '../way-back/snapshots.ts'

/**
 * Replaces the password, or sets the first one, and ends the user's other sessions.
 * @throws ApiError as `checkProof`, also for a password changed in the meantime
 */
export async function changePassword(
  deps: AuthDeps,
  session: OwnSession,
  { body: { new_password, ...proof }, client }: { body: ChangePasswordBody; client: AuthClient },
): Promise<void> {
  const { userId, sessionId } = session
  const oldHash = await checkProof(deps, session, proof)
  const newHash = await deps.passwords.hash(new_password, userId)
  await deps.database.transaction(async (transaction) => {
    // The links may have been requested by the intruder whom the owner is locking out. A link locks its token before the user.
    await deleteMailTokens(transaction, userId)
    await keepWayBack(transaction, userId, 'password_changed', client)
    const isReplaced = await replacePassword(transaction, { userId, oldHash, newHash })
    if (!isReplaced) throw new ApiError('wrong_password')
    // After the password: a login with the old one either waits for this transaction or is deleted here.
    publishSessionEnd(transaction, userId, await deleteSessionsOf(transaction, userId, sessionId))
  })
}
