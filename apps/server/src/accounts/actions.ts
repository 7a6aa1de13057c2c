import { deleteApplicationsOf } from '#src/applications/actions.ts'
import { hasApplications } from '#src/applications/queries.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { checkPassword, type PasswordCheckDeps } from '#src/users/password-check.ts'
import { type ErasureDeps, eraseAccount } from './erasure.ts'
import { ownsSpaces } from './queries.ts'

export type AccountDeps = PasswordCheckDeps & ErasureDeps

/**
 * Deletes the person's account: nobody can sign in to it again, nothing personal of it remains, and its messages stand
 * under a name that says nothing. Its applications end before it, each by itself: all of their bots could be in more
 * spaces than one transaction can leave. What breaks off on the way leaves the account, and whoever asks again goes on.
 * @throws ApiError 400 for a wrong password, or while the person owns a space, which would be left without anybody in charge
 */
export async function deleteAccount(deps: AccountDeps, userId: string, password: string): Promise<void> {
  await checkPassword(deps, userId, password)
  if (await ownsSpaces(deps.database, userId)) throw new ApiError('owns_spaces')
  await deleteApplicationsOf(deps, userId)
  await eraseAccount(deps, userId, async (transaction) => {
    // One that was made meanwhile.
    if (await hasApplications(transaction, userId)) throw new ApiError('unavailable')
  })
}
