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
 * @throws ApiError with the errors of `checkProof`, also if the password was changed in the meantime
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
    // Mailed links may have been requested by the intruder whom the owner is locking out. Their tokens are deleted before
    // the user is locked, because using a link locks in this order, too.
    await deleteMailTokens(transaction, userId)
    await keepWayBack(transaction, userId, 'password_changed', client)
    const isReplaced = await replacePassword(transaction, { userId, oldHash, newHash })
    if (!isReplaced) throw new ApiError('wrong_password')
    // After the password: a login with the old password either waits for this transaction, or its session is deleted
    // here.
    publishSessionEnd(transaction, userId, await deleteSessionsOf(transaction, userId, sessionId))
  })
}
