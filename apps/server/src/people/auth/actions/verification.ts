import type { CurrentUser } from '@foyer/protocol/users'
import { ApiError } from '#src/kernel/errors.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { publishUserUpdate } from '#src/people/users/actions.ts'
import type { AuthDeps } from '../deps.ts'
import type { LinkHost } from '../link-host.ts'
import { spendMailToken } from '../mail-tokens.ts'
import { markEmailVerified } from '../queries.ts'

/** Mails a verification link, unless the address is verified already. */
export async function sendVerification(
  { database }: AuthDeps,
  user: CurrentUser,
  linkHost: LinkHost | undefined,
): Promise<void> {
  if (user.email_verified) return
  await database.transaction((transaction) =>
    enqueueJob(transaction, 'mail_verification', { user_id: user.id, link_host: linkHost }),
  )
}

/** @throws ApiError 400 for an invalid token, or a token for a former address */
export async function verifyEmail({ database }: AuthDeps, token: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const owner = await spendMailToken(transaction, 'verify', token)
    const user = owner && (await markEmailVerified(transaction, owner))
    if (user === undefined) throw new ApiError('invalid_token')
    await publishUserUpdate(transaction, user)
  })
}
