import type { Config } from '#src/config.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { isClaim } from '#src/operating/operators/claims.ts'
import type { AuthRouteDeps } from './deps.ts'

/** @throws ApiError 403 where only sign-in providers let people in */
export function demandPasswords({ passwordLogin }: Pick<Config, 'passwordLogin'>): void {
  if (!passwordLogin) throw new ApiError('password_login_off')
}

/**
 * Like `demandPasswords`, but the link for the first operator may always create an account with a password, because the
 * provider's settings may need repair.
 * @throws ApiError 403 where only sign-in providers let people in
 */
export async function demandPasswordsOrClaim(
  { config, database }: Pick<AuthRouteDeps, 'config' | 'database'>,
  invite: string | null | undefined,
): Promise<void> {
  if (config.passwordLogin) return
  if (!invite || !(await isClaim(database, invite))) demandPasswords(config)
}
