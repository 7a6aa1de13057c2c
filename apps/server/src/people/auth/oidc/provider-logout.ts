import { publishSessionEnd } from '#src/kernel/database/session-events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Provider } from '#src/kernel/oidc/provider.ts'
import { ProviderError } from '#src/kernel/oidc/provider-error.ts'
import type { AuthDeps } from '../deps.ts'
import { deleteSessionsOpenedBy } from './queries.ts'
import { spendOnce } from './spent-tokens.ts'

/**
 * Ends the sessions that a provider reports as ended.
 * @throws ApiError 400 for an invalid or used token, 503 while the provider's keys cannot be read
 */
export async function endProviderSessions(
  { database }: AuthDeps,
  provider: Provider,
  token: string,
): Promise<void> {
  const loggedOut = await provider.verifyLogout(token).catch(refuse)
  const { issuer } = provider.settings
  const { id, expiresAt, ...opened } = loggedOut
  await database.transaction(async (transaction) => {
    const once = { kind: 'logout', value: JSON.stringify([issuer, id]), expiresAt } as const
    if (!(await spendOnce(transaction, once))) throw new ApiError('invalid_logout_token')
    const ended = await deleteSessionsOpenedBy(transaction, { issuer, ...opened }, null)
    for (const [userId, sessions] of Map.groupBy(ended, (session) => session.user_id))
      publishSessionEnd(
        transaction,
        userId,
        sessions.map((session) => session.id),
      )
  })
}

function refuse(error: unknown): never {
  if (!(error instanceof ProviderError)) throw error
  throw new ApiError(error.fault === 'unreachable' ? 'unavailable' : 'invalid_logout_token')
}
