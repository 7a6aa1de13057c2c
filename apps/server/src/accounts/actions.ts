import { deleteApplicationsOf } from '#src/applications/actions.ts'
import { hasApplications } from '#src/applications/queries.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { checkPassword, type PasswordCheckDeps } from '#src/users/password-check.ts'
import { type ErasureDeps, eraseAccount } from './erasure.ts'
import { ownsSpaces } from './queries.ts'

export type AccountDeps = PasswordCheckDeps & ErasureDeps

/**
 * Deletes the person's account: nobody can sign in again, nothing personal remains, and its messages have an anonymous
 * author. Its applications are deleted first, one by one, because their bots may be in more spaces than one transaction
 * can leave. An interrupted deletion can be repeated.
 * @throws ApiError 400 for a wrong password, or while the person owns a space
 */
export async function deleteAccount(deps: AccountDeps, userId: string, password: string): Promise<void> {
  await checkPassword(deps, userId, password)
  if (await ownsSpaces(deps.database, userId)) throw new ApiError('owns_spaces')
  await deleteApplicationsOf(deps, userId)
  await eraseAccount(deps, userId, async (transaction) => {
    // An application created in the meantime.
    if (await hasApplications(transaction, userId)) throw new ApiError('unavailable')
  })
}
