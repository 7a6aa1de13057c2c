import type { ChangePasswordBody } from '@foyer/protocol/auth'
import { ApiError } from '#src/kernel/errors.ts'
import { publishSessionEnd } from '#src/kernel/session-events.ts'
import { checkPassword } from '#src/users/password-check.ts'
import { deleteSessionsOf } from '#src/users/queries.ts'
import type { AuthDeps } from '../deps.ts'
import { deleteMailTokens } from '../mail-tokens.ts'
import { replacePassword } from '../queries.ts'
import type { OwnSession } from '../session-of.ts'

/**
 * Sets a new password in place of the old one, and ends the user's other sessions.
 * @throws ApiError 400 for a wrong password, also one that was changed meanwhile; 429 after ten of them within 15 minutes
 */
export async function changePassword(
  deps: AuthDeps,
  { userId, sessionId }: OwnSession,
  { password, new_password }: ChangePasswordBody,
): Promise<void> {
  const oldHash = await checkPassword(deps, userId, password)
  const newHash = await deps.passwords.hash(new_password, userId)
  await deps.database.transaction(async (transaction) => {
    const isReplaced = await replacePassword(transaction, { userId, oldHash, newHash })
    if (!isReplaced) throw new ApiError('wrong_password')
    // Whoever asked for them may be the one whom the owner is shutting out.
    await deleteMailTokens(transaction, userId)
    // After the password: whoever logs in with the old one meanwhile waits for this transaction, or is seen here.
    publishSessionEnd(transaction, userId, await deleteSessionsOf(transaction, userId, sessionId))
  })
}
