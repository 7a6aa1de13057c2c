import type { ProviderLogout } from '@foyer/protocol/oidc'
import type { Provider } from '#src/kernel/oidc/provider.ts'
import { ProviderError } from '#src/kernel/oidc/provider-error.ts'
import type { AuthRouteDeps } from '../deps.ts'
import { findSessionIssuer } from './queries.ts'

/** Returns the provider that opened the session; undefined for other logins, and for a removed provider. */
export async function findSessionProvider(
  { database, providers }: Pick<AuthRouteDeps, 'database' | 'providers'>,
  sessionId: string,
): Promise<Provider | undefined> {
  const issuer = await findSessionIssuer(database, sessionId)
  return issuer === null ? undefined : providers.of(issuer)
}

/**
 * Returns the page on which the provider ends its own session. If it has no such page or does not answer, people are
 * logged out only here.
 * @param backTo page of the web client, which must be registered at the provider
 */
export async function findLogoutPage(
  deps: AuthRouteDeps,
  sessionId: string,
  backTo: string,
): Promise<ProviderLogout> {
  const provider = await findSessionProvider(deps, sessionId)
  if (provider === undefined) return { url: null }
  try {
    return { url: (await provider.logoutPage(backTo))?.href ?? null }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    deps.log.warn({ provider: provider.settings.id }, `no log-out at a provider: ${error.message}`)
    return { url: null }
  }
}
