import type { LoginResult, SigninBody } from '@foyer/protocol/auth'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { networkOf } from '#src/kernel/http/rate-limiting.ts'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { canonicalAddress } from '#src/kernel/mail/addresses.ts'
import { isUniqueViolation } from '#src/kernel/sql/unique-violation.ts'
import { checkBirthdate } from '#src/users/birthdate.ts'
import { findCurrentUser } from '#src/users/queries.ts'
import type { AuthDeps } from '../deps.ts'
import type { LinkHost } from '../link-host.ts'
import { findTaken, insertAccount, insertSession, type NewAccount, type Origin } from '../queries.ts'
import { loginResultOf } from '../session-tokens.ts'

/** The device that signs up, and the name of this machine that it uses. */
export interface SignUpClient extends Origin {
  readonly linkHost: LinkHost | undefined
}

/**
 * Creates an account, signs in, and mails a verification link.
 * @throws ApiError 400 for a username or an address in use
 */
export async function createAccount(
  deps: AuthDeps,
  body: SigninBody,
  client: SignUpClient,
): Promise<LoginResult> {
  const { username, password, alias = null, birthdate = null } = body
  const email = canonicalAddress(body.email)
  checkBirthdate(birthdate)
  // Checked before the password costs CPU. The unique indexes decide on insertion.
  const taken = await findTaken(deps.database, { username, email })
  if (taken !== undefined) throw new ApiError(taken)
  const passwordHash = await deps.passwords.hash(password, networkOf(client.address))
  const account = { id: newId(), username, email, passwordHash, alias, birthdate }
  const { user, session } = await deps.database
    .transaction((transaction) => openAccount(transaction, account, client))
    .catch(refuseTaken)
  return loginResultOf(deps.signer, user, session)
}

async function openAccount(
  transaction: Transaction,
  account: NewAccount,
  { linkHost, ...origin }: SignUpClient,
) {
  const { id, passwordHash } = account
  await insertAccount(transaction, account)
  const session = await insertSession(transaction, { id: newId(), userId: id, passwordHash, ...origin })
  const user = await findCurrentUser(transaction, id)
  if (user === undefined || session === undefined) throw new Error('the new account cannot be read')
  await enqueueJob(transaction, 'mail_verification', { user_id: id, link_host: linkHost })
  return { user, session }
}

function refuseTaken(error: unknown): never {
  if (isUniqueViolation(error, 'users_username')) throw new ApiError('username_taken')
  if (isUniqueViolation(error, 'users_email')) throw new ApiError('email_taken')
  throw error
}
