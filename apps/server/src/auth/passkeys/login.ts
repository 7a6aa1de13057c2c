import type { LoginResult } from '@foyer/protocol/auth'
import type { PasskeyLoginBody, PasskeyRequestOptions } from '@foyer/protocol/passkeys'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { lockCurrentUser } from '#src/users/queries.ts'
import { handOut, openSession, refusalOf } from '../actions/sessions.ts'
import type { AuthClient } from '../client.ts'
import type { AuthDeps } from '../deps.ts'
import { noteLogin } from '../devices/actions.ts'
import type { SessionState } from '../queries.ts'
import { challengeIn, checkUse, handleOf, newChallenge, requestOptions } from './ceremonies.ts'
import { countUse, findByCredential, insertChallenge, spendChallenge, type Use } from './queries.ts'
import type { PasskeySite } from './site.ts'

/** Returns what a browser needs to log in by any passkey of the site. */
export async function preparePasskeyLogin(
  database: Database,
  site: PasskeySite,
): Promise<PasskeyRequestOptions> {
  const challenge = newChallenge()
  await insertChallenge(database, challenge, null)
  return requestOptions(site, challenge)
}

/**
 * Opens a session by a passkey alone: it is both something that the person has and, as the device checks who is there,
 * something that they know or are.
 * @throws ApiError 401 for a passkey that is unknown or not accepted, 400 for one that signed too late, 403 for an
 *   account that is locked
 */
export async function logInByPasskey(
  deps: AuthDeps,
  { credential }: PasskeyLoginBody,
  { site, client }: { site: PasskeySite; client: AuthClient },
): Promise<LoginResult> {
  const { database } = deps
  const challenge = challengeIn(credential)
  if (challenge === undefined) throw new ApiError('invalid_passkey')
  if (!(await spendChallenge(database, challenge, null))) throw new ApiError('passkey_challenge_ended')
  const passkey = await findByCredential(database, Buffer.from(credential.id, 'base64url'))
  if (passkey === undefined) throw new ApiError('invalid_passkey')
  const { id, user_id: userId, public_key: publicKey } = passkey
  if (credential.response.userHandle !== handleOf(userId)) throw new ApiError('invalid_passkey')
  const checked = await checkUse(site, challenge, credential, publicKey)
  if (checked === undefined) throw new ApiError('invalid_passkey')
  const session = await database.transaction((transaction) =>
    openByUse(deps, transaction, { use: { id, ...checked }, userId, client }),
  )
  if (session === undefined) throw new ApiError('passkey_copied')
  return handOut(deps, session)
}

/** @returns undefined, with a mail to the account, if the passkey seems to be a copy */
async function openByUse(
  deps: Pick<AuthDeps, 'deviceMacs'>,
  transaction: Transaction,
  { use, userId, client }: { use: Use; userId: string; client: AuthClient },
): Promise<SessionState | undefined> {
  // Before the passkey: others lock the user first, too.
  await lockCurrentUser(transaction, userId)
  const outcome = await countUse(transaction, use)
  if (outcome === 'gone') throw new ApiError('invalid_passkey')
  if (outcome === 'copied') {
    await enqueueJob(transaction, 'mail_passkey', { user_id: userId, change: 'copied' })
    return undefined
  }
  const session = { id: newId(), userId, passwordHash: undefined, isConfirmed: true, ...client }
  const opened = await openSession(transaction, session)
  if (opened === undefined) throw await refusalOf(transaction, userId, 'invalid_passkey')
  await noteLogin(transaction, deps, { userId, client, isKnown: false })
  return opened
}
