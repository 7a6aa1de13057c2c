import { SECOND_FACTORS_HEADER } from '@foyer/protocol/second-factors'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { ApiError, type ErrorCode } from '#src/kernel/errors.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import type { AttemptLimits } from '#src/kernel/limits/attempt-limits.ts'
import type { Sealer } from '#src/kernel/secrets/sealing.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { forgetTotp } from '../way-back/queries.ts'
import {
  deleteRecoveryCode,
  deleteSecondFactors,
  findSecondFactors,
  kindsOf,
  lockTotp,
  saveLastPeriod,
} from './queries.ts'
import { plain, type RecoveryCodeMacs } from './recovery-codes.ts'
import { periodOf } from './totp.ts'

export interface SecondFactorDeps {
  database: Database
  attempts: AttemptLimits
  sealer: Sealer
  recoveryCodeMacs: RecoveryCodeMacs
}

/** The errors for a missing code and for a wrong code. */
interface Refusals {
  missing: ErrorCode
  wrong: ErrorCode
}

/** At a login, every refusal is 401. */
export const LOGIN_REFUSALS: Refusals = { missing: 'second_factor_required', wrong: 'invalid_code' }
/** For logged-in users. A 401 would make their clients sign out. */
export const OWN_REFUSALS: Refusals = { missing: 'code_required', wrong: 'wrong_code' }

/** Spends the code. Returns false for an account without a second factor. */
export type Spend = (transaction: Transaction) => Promise<boolean>

/**
 * Runs work that spends the code of a second factor in its transaction: a code can be used once, and is only spent if the
 * transaction commits.
 * @throws ApiError 429 after ten wrong codes within 15 minutes. The function passed to the work throws `refusals`
 */
export async function withCode<T>(
  deps: SecondFactorDeps,
  userId: string,
  { code, refusals }: { code: string | undefined; refusals: Refusals },
  work: (spend: Spend) => Promise<T>,
): Promise<T> {
  const given = plain(code ?? '')
  const spend: Spend = (transaction) => spendCode(deps, transaction, userId, { given, refusals })
  if (given === '') return work(spend)
  if (!(await deps.attempts.take('secondFactor', userId))) throw new ApiError('too_many_failed_logins')
  const result = await work(spend)
  // A correct code clears the count of wrong ones.
  await deps.attempts.clear('secondFactor', userId)
  return result
}

async function spendCode(
  deps: SecondFactorDeps,
  transaction: Transaction,
  userId: string,
  { given, refusals }: { given: string; refusals: Refusals },
): Promise<boolean> {
  const row = await lockTotp(transaction, userId)
  if (!row?.secret) return false
  if (given === '') throw await refusalOf(transaction, userId, refusals.missing)
  const secret = deps.sealer.open(row.secret, contextOf(userId))
  const period = periodOf(secret, given, Date.now())
  if (period !== undefined && period > row.last_period) {
    await saveLastPeriod(transaction, userId, period)
    return true
  }
  const mac = deps.recoveryCodeMacs.of(userId, given)
  if (!(await deleteRecoveryCode(transaction, userId, mac))) throw new ApiError(refusals.wrong)
  await enqueueJob(transaction, 'mail_second_factor', { user_id: userId, change: 'code_used' })
  return true
}

/**
 * Turns off the second factor of an account whose owner has lost it, and mails the owner. The mail has no link to undo
 * this, because an operator has spoken to the owner.
 * @returns true if the account had an authenticator app
 */
export async function endSecondFactor(transaction: Transaction, userId: string): Promise<boolean> {
  const row = await lockTotp(transaction, userId)
  await deleteSecondFactors(transaction, userId)
  await forgetTotp(transaction, userId)
  if (!row?.secret) return false
  await enqueueJob(transaction, 'mail_second_factor', { user_id: userId, change: 'off' })
  return true
}

/** Binds a sealed secret to its account. */
export function contextOf(userId: string): string {
  return `totp of ${userId}`
}

async function refusalOf(database: Queryable, userId: string, code: ErrorCode): Promise<ApiError> {
  const kinds = kindsOf(await findSecondFactors(database, userId))
  return new ApiError(code, undefined, { [SECOND_FACTORS_HEADER]: kinds.join(', ') })
}
