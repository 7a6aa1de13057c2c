import { MAX_PASSKEYS } from '@foyer/protocol/limits'
import type { AddPasskeyBody, Passkey, PasskeyCreationOptions } from '@foyer/protocol/passkeys'
import type { ProofBody } from '@foyer/protocol/second-factors'
import type { CurrentUser } from '@foyer/protocol/users'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { isUniqueViolation } from '#src/kernel/sql/unique-violation.ts'
import { lockCurrentUser } from '#src/people/users/queries.ts'
import type { AuthClient } from '../client.ts'
import { checkProof, type ProofDeps } from '../owner-proofs/check.ts'
import { confirm, unconfirmWithoutFactors } from '../second-factors/confirmed-sessions.ts'
import type { OwnSession } from '../session-of.ts'
import { keepWayBack } from '../way-back/snapshots.ts'
import { challengeIn, checkCreation, creationOptions, handleOf, newChallenge } from './ceremonies.ts'
import {
  countPasskeys,
  deletePasskey,
  deletePasskeys,
  insertChallenge,
  insertPasskey,
  listCredentials,
  renamePasskey,
  spendChallenge,
} from './queries.ts'
import type { PasskeySite } from './site.ts'

/** The site as a browser shows it. */
export interface NamedSite {
  site: PasskeySite
  siteName: string
}

/**
 * Returns the options with which a browser creates a passkey.
 * @throws ApiError with the errors of `checkProof`, and 400 for an account with the maximum number of passkeys
 */
export async function preparePasskey(
  deps: ProofDeps,
  { id, username, alias }: CurrentUser,
  { proof, sessionId, ...named }: NamedSite & { proof: ProofBody; sessionId: string },
): Promise<PasskeyCreationOptions> {
  await checkProof(deps, { userId: id, sessionId }, proof)
  const known = await listCredentials(deps.database, id)
  if (known.length >= MAX_PASSKEYS) throw new ApiError('too_many_passkeys')
  const challenge = newChallenge()
  await insertChallenge(deps.database, challenge, { userId: id, sessionId: null })
  const owner = { handle: handleOf(id), username, displayName: alias ?? username }
  return creationOptions({ ...named, owner }, challenge, known)
}

interface NewPasskey {
  site: PasskeySite
  client: AuthClient
  body: AddPasskeyBody
}

/**
 * Adds a passkey; the session then has a second factor. The challenge proves the presence of the account's owner.
 * @throws ApiError 400 for a passkey of another challenge or page, an expired challenge, a passkey that exists already,
 * or too many passkeys
 */
export async function addPasskey(
  { database }: Pick<ProofDeps, 'database'>,
  session: OwnSession,
  { site, client, body: { name, credential } }: NewPasskey,
): Promise<Passkey> {
  const { userId } = session
  const challenge = challengeIn(credential)
  if (challenge === undefined) throw new ApiError('passkey_refused')
  if (!(await spendChallenge(database, challenge, { userId, sessionId: null })))
    throw new ApiError('passkey_challenge_ended')
  const creation = await checkCreation(site, challenge, credential)
  if (creation === undefined) throw new ApiError('passkey_refused')
  const { transports = [] } = credential.response
  const add = async (transaction: Transaction) => {
    // Locked, so that simultaneous calls see each other's passkeys.
    if ((await lockCurrentUser(transaction, userId)) === undefined) throw new ApiError('unknown_user')
    if ((await countPasskeys(transaction, userId)) >= MAX_PASSKEYS) throw new ApiError('too_many_passkeys')
    await keepWayBack(transaction, userId, 'passkey_added', client)
    // The device has just verified the person.
    await confirm(transaction, session)
    return insertPasskey(transaction, { id: newId(), userId, name, transports, ...creation })
  }
  return database.transaction(add).catch(refuseKnown)
}

/** @throws ApiError 404 for a passkey of another user */
export async function updatePasskey(
  database: Database,
  userId: string,
  { id, name }: { id: string; name: string },
): Promise<Passkey> {
  const passkey = await database.transaction((transaction) =>
    renamePasskey(transaction, { id, userId, name }),
  )
  if (passkey === undefined) throw new ApiError('unknown_passkey')
  return passkey
}

/** @throws ApiError with the errors of `checkProof`, and 404 for a passkey of another user */
export async function removePasskey(
  deps: ProofDeps,
  session: OwnSession,
  { id, proof }: { id: string; proof: ProofBody },
): Promise<void> {
  const { userId } = session
  await checkProof(deps, session, proof)
  await deps.database.transaction(async (transaction) => {
    const name = await deletePasskey(transaction, userId, id)
    if (name === undefined) throw new ApiError('unknown_passkey')
    await enqueueJob(transaction, 'mail_passkey', { user_id: userId, change: 'removed', name })
    await unconfirmWithoutFactors(transaction, userId)
  })
}

/**
 * Removes all passkeys of an account, and queues a mail that informs the user.
 * @returns true if there were any
 */
export async function removeAllPasskeys(transaction: Transaction, userId: string): Promise<boolean> {
  if (!(await deletePasskeys(transaction, userId))) return false
  await enqueueJob(transaction, 'mail_passkey', { user_id: userId, change: 'all_removed' })
  return true
}

/** @throws ApiError 400 for a passkey that exists already, or the error itself */
function refuseKnown(error: unknown): never {
  if (isUniqueViolation(error, 'passkeys_credential_id_key')) throw new ApiError('passkey_exists')
  throw error
}
