import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#src/config.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { ProvenIdentity, Provider } from '#src/kernel/oidc/provider.ts'
import { ProviderError } from '#src/kernel/oidc/provider-error.ts'
import type { AuthRouteDeps } from '../deps.ts'
import { linkHostOf, withLinkHost } from '../link-host.ts'
import { givenSealed, keepSealed } from './cookies.ts'
import { FLOW_SECONDS, type Flow, openFlow, seal } from './sealed.ts'
import { spendOnce } from './spent-tokens.ts'

/** @throws ApiError 404 for an unknown provider */
export function providerNamed({ providers }: Pick<AuthRouteDeps, 'providers'>, id: string): Provider {
  const provider = providers.named(id)
  if (provider === undefined) throw new ApiError('unknown_provider')
  return provider
}

interface Beginning {
  deps: AuthRouteDeps
  request: FastifyRequest
  reply: FastifyReply
  next: string
  /** Address that the server listens on. */
  base: string
  link: Flow['link']
  proof: Flow['proof']
}

/**
 * Keeps the secrets of a new login in a cookie, and returns the URL of the provider's page.
 * @throws ProviderError
 */
export async function beginAt(
  provider: Provider,
  { deps, request, reply, base, ...kept }: Beginning,
): Promise<string> {
  const { config, sealer } = deps
  const origin = originOf(request, config, base)
  const { id } = provider.settings
  const redirectUri = `${origin}/api/auth/oidc/${id}/callback`
  const { url, checks } = await provider.begin(redirectUri, { again: kept.proof !== null })
  const expiresAt = Date.now() + FLOW_SECONDS * 1000
  const value = seal(sealer, 'flow', { provider: id, ...checks, redirectUri, ...kept, expiresAt })
  keepSealed(request, reply, config, { kind: 'flow', value })
  return url.href
}

/**
 * Returns the server's address for browsers, as registered at the provider.
 * @param base address that the server listens on
 */
export function originOf(request: FastifyRequest, config: Pick<Config, 'publicUrl'>, base: string): string {
  return withLinkHost(config.publicUrl ?? base, linkHostOf(request, config))
}

type Callback = Pick<Beginning, 'deps' | 'request' | 'reply'>

/** @throws ApiError 403 for a callback of a login that this browser did not begin at this provider; ProviderError */
export async function finishAt(
  provider: Provider,
  { deps, request, reply }: Callback,
): Promise<{ flow: Flow; proven: ProvenIdentity }> {
  const { config, sealer, database } = deps
  const { search, searchParams } = new URL(request.url, 'http://foyer.invalid')
  const flow = openFlow(sealer, givenSealed(request, config, 'flow'))
  const isOwn = flow?.provider === provider.settings.id && searchParams.get('state') === flow.state
  if (flow === undefined || !isOwn) throw new ApiError('no_ticket')
  keepSealed(request, reply, config, { kind: 'flow', value: '' })
  const once = { kind: 'state', value: flow.state, expiresAt: new Date(flow.expiresAt) } as const
  const isFirst = await database.transaction((transaction) => spendOnce(transaction, once))
  if (!isFirst) throw new ApiError('no_ticket')
  const callback = new URL(`${flow.redirectUri}${search}`)
  const since = flow.proof === null ? {} : { since: flow.expiresAt - FLOW_SECONDS * 1000 }
  return { flow, proven: await provider.finish(callback, flow, since) }
}

/**
 * Translates a provider's error for a page of the web client, which has begun a login and shows the error itself.
 * @throws ApiError 502, or the error itself if it is another one
 */
export function refuseByProvider(error: unknown): never {
  if (!(error instanceof ProviderError)) throw error
  throw new ApiError(error.fault === 'unreachable' ? 'provider_unreachable' : 'provider_invalid')
}
