import type { ProofBody, RecoveryCodes, TotpSetup } from '@foyer/protocol/second-factors'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { AuthClient } from '../client.ts'
import { checkProof, type ProofDeps } from '../owner-proofs/check.ts'
import type { OwnSession } from '../session-of.ts'
import { lockOwner } from '../way-back/queries.ts'
import { keepWayBack } from '../way-back/snapshots.ts'
import { confirm, unconfirmWithoutFactors } from './confirmed-sessions.ts'
import { contextOf } from './proof.ts'
import {
  confirmTotp,
  deleteSecondFactors,
  lockTotp,
  replaceRecoveryCodes,
  savePendingTotp,
} from './queries.ts'
import { newRecoveryCodes, plain } from './recovery-codes.ts'
import { newTotpSecret, periodOf, totpUri } from './totp.ts'

/** The account as an authenticator app shows it. */
export interface TotpLabel {
  issuer: string
  account: string
}

/**
 * Creates a secret for an authenticator app. It replaces an older secret once a code confirms it.
 * @throws ApiError with the errors of `checkProof`
 */
export async function prepareTotp(
  deps: ProofDeps,
  session: OwnSession,
  { proof, label }: { proof: ProofBody; label: TotpLabel },
): Promise<TotpSetup> {
  const { userId } = session
  await checkProof(deps, session, proof)
  const secret = newTotpSecret()
  const sealed = deps.sealer.seal(secret, contextOf(userId))
  await deps.database.transaction((transaction) => savePendingTotp(transaction, userId, sealed))
  return { secret, uri: totpUri(secret, label) }
}

/**
 * Turns on the prepared app. The session then has a second factor.
 * @returns new recovery codes
 * @throws ApiError 400 for a wrong code, and if there is no app to confirm; 429 after ten wrong codes within 15 minutes
 */
export async function turnOnTotp(
  deps: ProofDeps,
  session: OwnSession,
  { code, client }: { code: string; client: AuthClient },
): Promise<RecoveryCodes> {
  const { userId } = session
  if (!(await deps.attempts.take('secondFactor', userId))) throw new ApiError('too_many_failed_logins')
  const codes = await deps.database.transaction(async (transaction) => {
    await lockOwner(transaction, userId)
    const row = await lockTotp(transaction, userId)
    if (!row?.pending) throw new ApiError('no_pending_app')
    const secret = deps.sealer.open(row.pending, contextOf(userId))
    const period = periodOf(secret, plain(code), Date.now())
    if (period === undefined) throw new ApiError('wrong_code')
    const change = row.secret === null ? 'second_factor_on' : 'second_factor_replaced'
    await keepWayBack(transaction, userId, change, client)
    await confirmTotp(transaction, userId, period)
    await confirm(transaction, session)
    return renew(deps, transaction, userId)
  })
  await deps.attempts.clear('secondFactor', userId)
  return { codes }
}

/** @throws ApiError with the errors of `checkProof` */
export async function turnOffTotp(
  deps: ProofDeps,
  session: OwnSession,
  { proof, client }: { proof: ProofBody; client: AuthClient },
): Promise<void> {
  const { userId } = session
  await checkProof(deps, session, proof)
  await deps.database.transaction(async (transaction) => {
    await lockOwner(transaction, userId)
    const row = await lockTotp(transaction, userId)
    if (row?.secret) await keepWayBack(transaction, userId, 'second_factor_off', client)
    await deleteSecondFactors(transaction, userId)
    await unconfirmWithoutFactors(transaction, userId)
  })
}

/** @throws ApiError with the errors of `checkProof`, and 400 without an authenticator app */
export async function renewRecoveryCodes(
  deps: ProofDeps,
  session: OwnSession,
  { proof, client }: { proof: ProofBody; client: AuthClient },
): Promise<RecoveryCodes> {
  const { userId } = session
  await checkProof(deps, session, proof)
  const codes = await deps.database.transaction(async (transaction) => {
    await lockOwner(transaction, userId)
    const row = await lockTotp(transaction, userId)
    if (!row?.secret) throw new ApiError('no_second_factor')
    await keepWayBack(transaction, userId, 'recovery_codes_renewed', client)
    return renew(deps, transaction, userId)
  })
  return { codes }
}

async function renew(
  { recoveryCodeMacs }: ProofDeps,
  transaction: Transaction,
  userId: string,
): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(
    transaction,
    userId,
    codes.map((code) => recoveryCodeMacs.of(userId, code)),
  )
  return codes
}
