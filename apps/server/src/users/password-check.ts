import type { AttemptLimits } from '#src/kernel/attempt-limits.ts'
import type { Database } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Passwords } from '#src/kernel/passwords.ts'
import { findPasswordHash } from './queries.ts'

export interface PasswordCheckDeps {
  database: Database
  passwords: Passwords
  attempts: AttemptLimits
}

/**
 * For what a stolen session alone must not do. Attempts are limited like those to log in, or the session would be a way
 * to guess the password.
 * @returns the hash that the password was compared with
 * @throws ApiError 400 for a wrong password, 429 after ten of them within 15 minutes
 */
export async function checkPassword(
  { database, passwords, attempts }: PasswordCheckDeps,
  userId: string,
  password: string,
): Promise<string> {
  if (!(await attempts.take('password', userId))) throw new ApiError('too_many_failed_logins')
  const hash = await findPasswordHash(database, userId)
  const isRight = await passwords.verify(password, hash, userId)
  if (hash === null || !isRight) throw new ApiError('wrong_password')
  await attempts.clear('password', userId)
  return hash
}
