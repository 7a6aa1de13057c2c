import type { ProofBody, RecoveryCodes, TotpSetup } from '@foyer/protocol/second-factors'
import type { Transaction } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { checkProof, contextOf, endSecondFactor, type ProofDeps } from './proof.ts'
import { confirmTotp, lockTotp, replaceRecoveryCodes, savePendingTotp } from './queries.ts'
import { newRecoveryCodes, plain } from './recovery-codes.ts'
import { newTotpSecret, periodOf, totpUri } from './totp.ts'

/** The account as an authenticator app shows it. */
export interface TotpLabel {
  issuer: string
  account: string
}

/**
 * Makes a secret for an authenticator app. It counts once it is confirmed by a code; until then an older one does.
 * @throws ApiError as `checkProof`
 */
export async function prepareTotp(
  deps: ProofDeps,
  userId: string,
  { proof, label }: { proof: ProofBody; label: TotpLabel },
): Promise<TotpSetup> {
  await checkProof(deps, userId, proof)
  const secret = newTotpSecret()
  const sealed = deps.sealer.seal(secret, contextOf(userId))
  await deps.database.transaction((transaction) => savePendingTotp(transaction, userId, sealed))
  return { secret, uri: totpUri(secret, label) }
}

/**
 * Lets the prepared app count from now on.
 * @returns new recovery codes
 * @throws ApiError 400 for a wrong code, and if there is none to confirm; 429 after ten wrong codes within 15 minutes
 */
export async function turnOnTotp(deps: ProofDeps, userId: string, code: string): Promise<RecoveryCodes> {
  if (!(await deps.attempts.take('secondFactor', userId))) throw new ApiError('too_many_failed_logins')
  const codes = await deps.database.transaction(async (transaction) => {
    const row = await lockTotp(transaction, userId)
    if (!row?.pending) throw new ApiError('no_pending_app')
    const secret = deps.sealer.open(row.pending, contextOf(userId))
    const period = periodOf(secret, plain(code), Date.now())
    if (period === undefined) throw new ApiError('wrong_code')
    await confirmTotp(transaction, userId, period)
    await enqueueJob(transaction, 'mail_second_factor', { user_id: userId, change: 'on' })
    return renew(deps, transaction, userId)
  })
  await deps.attempts.clear('secondFactor', userId)
  return { codes }
}

/** @throws ApiError as `checkProof` */
export async function turnOffTotp(deps: ProofDeps, userId: string, proof: ProofBody): Promise<void> {
  await checkProof(deps, userId, proof)
  await deps.database.transaction((transaction) => endSecondFactor(transaction, userId))
}

/** @throws ApiError as `checkProof`, and 400 without an authenticator app */
export async function renewRecoveryCodes(
  deps: ProofDeps,
  userId: string,
  proof: ProofBody,
): Promise<RecoveryCodes> {
  await checkProof(deps, userId, proof)
  const codes = await deps.database.transaction(async (transaction) => {
    const row = await lockTotp(transaction, userId)
    if (!row?.secret) throw new ApiError('no_second_factor')
    await enqueueJob(transaction, 'mail_second_factor', { user_id: userId, change: 'codes_renewed' })
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
