import type { LoginResult } from '@foyer/protocol/auth'
import type { PasskeyLoginBody, PasskeyRequestOptions } from '@foyer/protocol/passkeys'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { handOut, openSession, refusalOf } from '../actions/sessions.ts'
import type { AuthClient } from '../client.ts'
import type { AuthDeps } from '../deps.ts'
import { noteLogin } from '../devices/actions.ts'
import type { SessionState } from '../queries.ts'
import { challengeIn, newChallenge, requestOptions } from './ceremonies.ts'
import { FOR_LOGIN, insertChallenge, spendChallenge } from './queries.ts'
import type { PasskeySite } from './site.ts'
import { countProvenUse, findProvenUse, type ProvenUse } from './uses.ts'

/** Returns the options with which a browser logs in by any passkey of the site. */
export async function preparePasskeyLogin(
  database: Database,
  site: PasskeySite,
): Promise<PasskeyRequestOptions> {
  const challenge = newChallenge()
  await insertChallenge(database, challenge, FOR_LOGIN)
  return requestOptions(site, challenge)
}

/**
 * Opens a session by a passkey alone. It counts as two factors: the device, and the device's check of the person.
 * @throws ApiError 401 for a passkey that is unknown or not accepted, 400 for a late signature, 403 for a locked
 * account
 */
export async function logInByPasskey(
  deps: AuthDeps,
  { credential }: PasskeyLoginBody,
  { site, client }: { site: PasskeySite; client: AuthClient },
): Promise<LoginResult> {
  const { database } = deps
  const challenge = challengeIn(credential)
  if (challenge === undefined) throw new ApiError('invalid_passkey')
  if (!(await spendChallenge(database, challenge, FOR_LOGIN))) throw new ApiError('passkey_challenge_ended')
  const proven = await findProvenUse(database, { site, challenge, credential })
  if (proven === undefined) throw new ApiError('invalid_passkey')
  const session = await database.transaction((transaction) => openByUse(deps, transaction, proven, client))
  if (session === undefined) throw new ApiError('passkey_copied')
  return handOut(deps, session)
}

/** @returns undefined, with a mail to the account, if the passkey seems to be a copy */
async function openByUse(
  deps: Pick<AuthDeps, 'deviceMacs'>,
  transaction: Transaction,
  proven: ProvenUse,
  client: AuthClient,
): Promise<SessionState | undefined> {
  const outcome = await countProvenUse(transaction, proven)
  if (outcome === 'gone') throw new ApiError('invalid_passkey')
  if (outcome === 'copied') return undefined
  const { userId } = proven
  const session = { id: newId(), userId, passwordHash: undefined, isConfirmed: true, ...client }
  const opened = await openSession(transaction, session)
  if (opened === undefined) throw await refusalOf(transaction, userId, 'invalid_passkey')
  await noteLogin(transaction, deps, { userId, client, isKnown: false })
  return opened
}
