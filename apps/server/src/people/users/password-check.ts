import type { Database } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { AttemptLimits } from '#src/kernel/limits/attempt-limits.ts'
import type { Passwords } from '#src/kernel/secrets/passwords.ts'
import { findPasswordHash } from './queries.ts'

export interface PasswordCheckDeps {
  database: Database
  passwords: Passwords
  attempts: AttemptLimits
}

/**
 * Checks the password for actions that a stolen session must not allow. Attempts are limited like logins, or the
 * session could be used to guess the password.
 * @returns the stored hash that matched
 * @throws ApiError 400 for a wrong password and for an account without one, 429 after ten failures within 15 minutes
 */
export async function checkPassword(
  { database, passwords, attempts }: PasswordCheckDeps,
  userId: string,
  password: string,
): Promise<string> {
  if (!(await attempts.take('password', userId))) throw new ApiError('too_many_failed_logins')
  const hash = await findPasswordHash(database, userId)
  if (hash === null) throw new ApiError('no_password')
  const isRight = await passwords.verify(password, hash, userId)
  if (!isRight) throw new ApiError('wrong_password')
  await attempts.clear('password', userId)
  return hash
}
