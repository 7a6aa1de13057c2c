import type { LoginResult, SigninBody } from '@foyer/protocol/auth'
import { MAX_REGISTRATIONS } from '@foyer/protocol/limits'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { networkOf } from '#src/kernel/http/network-of.ts'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { canonicalAddress } from '#src/kernel/mail/addresses.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { spendClaims } from '#src/operating/operators/claims.ts'
import { logOperation } from '#src/operating/operators/log.ts'
import { insertOperator, lockOperators } from '#src/operating/operators/queries.ts'
import { type Admission, admit } from '#src/people/registration/admission.ts'
import { useOperatorInvite } from '#src/people/registration/invites.ts'
import {
  countRegistrations,
  insertRegistration,
  type NewRegistration,
} from '#src/people/registration/queries.ts'
import { checkBirthdate } from '#src/people/users/birthdate.ts'
import { findCurrentUser } from '#src/people/users/queries.ts'
import {
  findTaken,
  insertAccount,
  isWithoutAccounts,
  lockAccounts,
  type NewAccount,
  refuseTaken,
} from '../account-queries.ts'
import type { AuthClient } from '../client.ts'
import type { AuthDeps } from '../deps.ts'
import { rememberDevice } from '../devices/queries.ts'
import { insertSession, type Opener } from '../queries.ts'
import { loginResultOf } from '../session-tokens.ts'

/**
 * Creates an account, signs in, and mails a verification link. Where operators approve accounts, only stores an application.
 * @throws ApiError 400 for a username or an address in use, 403 where the rules of the server allow no account, and for
 *   an application that was just received; 403 or 400 without the solution of a puzzle that is needed
 */
export async function createAccount(
  deps: AuthDeps,
  body: SigninBody,
  client: AuthClient,
): Promise<LoginResult> {
  const settle = await deps.signupPuzzles.admit(body, networkOf(client.address))
  let isMade = false
  try {
    const result = await makeAccount(deps, body, client)
    isMade = true
    return result
  } catch (error) {
    isMade = error instanceof ApiError && error.code === 'approval_pending'
    throw error
  } finally {
    // Only a sign-up that succeeds spends its puzzle: after a taken username, the solution works for another username.
    await settle(isMade)
  }
}

async function makeAccount(deps: AuthDeps, body: SigninBody, client: AuthClient): Promise<LoginResult> {
  const { username, password, alias = null, birthdate = null } = body
  const email = canonicalAddress(body.email)
  checkBirthdate(birthdate)
  const admission = await admit(deps, body, email)
  // Checked early, before hashing the password costs CPU. On insertion, the lock of accounts and the unique indexes
  // decide.
  await checkFree(deps.database, { username, email })
  const passwordHash = await deps.passwords.hash(password, networkOf(client.address))
  const account = { id: newId(), username, email, passwordHash, alias, birthdate }
  return openAdmitted(deps, { account, admission, client })
}

/** A new account that the rules allow, or an application for one. */
export interface Opening {
  account: NewAccount
  admission: Admission
  client: AuthClient
  /** The identity that opens the account's first session. */
  opener?: Opener
  /** Extra work in the same transaction, such as spending the invite of a new account. */
  begin?: (transaction: Transaction) => Promise<void>
  /** Work in the same transaction, once the account exists. */
  end?: (transaction: Transaction) => Promise<void>
}

/**
 * Opens the account, or stores the application.
 * @throws ApiError with the errors of `createAccount`, except for the rules and the puzzle
 */
export async function openAdmitted(deps: AuthDeps, opening: Opening): Promise<LoginResult> {
  const { account, admission } = opening
  if (admission.kind === 'application')
    return applyForAccount(deps, { ...account, ...admission }, opening.begin)
  const { user, session } = await deps.database
    .transaction((transaction) => openAccount(transaction, deps, { ...opening, admission }))
    .catch(refuseTaken)
  return loginResultOf(deps.signer, user, session)
}

/** Stores the application for the operators, and refuses the login until one of them approves it. */
async function applyForAccount(
  { database }: AuthDeps,
  application: NewRegistration,
  begin: Opening['begin'],
): Promise<never> {
  const apply = async (transaction: Transaction) => {
    await begin?.(transaction)
    await lockAccounts(transaction)
    await checkFree(transaction, application)
    if ((await countRegistrations(transaction)) >= MAX_REGISTRATIONS)
      throw new ApiError('too_many_registrations')
    await insertRegistration(transaction, application)
  }
  await database.transaction(apply).catch(refuseTaken)
  throw new ApiError('approval_pending')
}

type AccountOpening = Opening & { admission: Extract<Admission, { kind: 'account' }> }

async function openAccount(
  transaction: Transaction,
  { registration, deviceMacs }: AuthDeps,
  { account, admission, client, opener, begin, end }: AccountOpening,
) {
  const { id } = account
  const passwordHash = account.passwordHash ?? undefined
  const { linkHost, ...origin } = client
  await begin?.(transaction)
  await lockAccounts(transaction)
  const isFirst = await isWithoutAccounts(transaction)
  // Another first account was created in between: for the next attempt, the rules apply.
  if (admission.onlyAsFirst && !isFirst) throw new ApiError('unavailable')
  await checkFree(transaction, account)
  if (admission.inviteId !== undefined && !(await useOperatorInvite(transaction, admission.inviteId)))
    throw new ApiError('invite_unusable')
  await insertAccount(transaction, account)
  if (isFirst && registration.firstBecomesOperator) await makeFirstOperator(transaction, account)
  await end?.(transaction)
  // A login by a provider counts as confirmed, because the provider decides how people prove who they are.
  const proof = { passwordHash, identity: opener, isConfirmed: opener !== undefined }
  const opening = { id: newId(), userId: id, ...proof, ...origin }
  const session = await insertSession(transaction, opening)
  const user = await findCurrentUser(transaction, id)
  if (user === undefined || session === undefined) throw new Error('the new account cannot be read')
  await rememberDevice(transaction, id, deviceMacs.of(id, origin))
  if (!account.isEmailVerified)
    await enqueueJob(transaction, 'mail_verification', { user_id: id, link_host: linkHost })
  return { user, session }
}

async function makeFirstOperator(transaction: Transaction, { id, username }: NewAccount): Promise<void> {
  await lockOperators(transaction)
  await insertOperator(transaction, id, null)
  await spendClaims(transaction)
  const entry = {
    action: 'operator_grant',
    type: 'user',
    id,
    name: username,
    details: { first: true },
  } as const
  await logOperation(transaction, { actorId: null, reason: null }, entry)
}

export async function checkFree(
  database: Queryable,
  names: Pick<NewAccount, 'username' | 'email'>,
): Promise<void> {
  const taken = await findTaken(database, names)
  if (taken !== undefined) throw new ApiError(taken)
}
