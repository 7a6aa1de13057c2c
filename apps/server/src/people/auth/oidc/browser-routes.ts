import { ProviderParams, ProviderStartQuery } from '@foyer/protocol/oidc'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import type { App } from '#src/kernel/http/types.ts'
import { newToken } from '#src/kernel/ids.ts'
import type { ProvenIdentity, Provider } from '#src/kernel/oidc/provider.ts'
import { ProviderError } from '#src/kernel/oidc/provider-error.ts'
import type { AuthRouteDeps } from '../deps.ts'
import { type BegunProof, finishProof } from '../owner-proofs/actions.ts'
import { beginAt, finishAt, providerNamed } from './browser-flow.ts'
import { factsOf } from './claims.ts'
import { keepSealed } from './cookies.ts'
import { linkIdentity } from './links.ts'
import { ownPath } from './own-path.ts'
import { FLOW_SECONDS, type Flow, seal, type Ticket } from './sealed.ts'
import { namedGroups } from './space-groups.ts'

const tags = ['Authentication']
/** Page of the web client that continues with the ticket, or shows an error. */
const PAGE = '/sign-in'
const response = { 302: Type.Null() }
const CAUSES = {
  unreachable: 'provider_unreachable',
  refused: 'provider_refused',
  invalid: 'provider_invalid',
  stale: 'login_not_fresh',
} as const

/** Pages that a browser opens on its way to a provider and back. The web client shows errors. */
export function browserRoutes(app: App, deps: AuthRouteDeps): void {
  app.get(
    '/api/auth/oidc/:provider/start',
    {
      config: { access: 'public', limits: ['login'] },
      schema: {
        tags,
        summary: 'Start Log-In by Provider',
        description: 'The browser opens it and is redirected to the page of the provider.',
        params: ProviderParams,
        querystring: ProviderStartQuery,
        response,
      },
    },
    async (request, reply) => {
      const next = ownPath(request.query.next)
      const provider = providerNamed(deps, request.params.provider)
      return leading(deps, reply, provider, async () =>
        beginAt(provider, { deps, request, reply, next, base: app.listeningOrigin, link: null, proof: null }),
      )
    },
  )

  app.get(
    '/api/auth/oidc/:provider/callback',
    {
      config: { access: 'public', limits: ['login'] },
      schema: {
        tags,
        summary: 'Finish Log-In by Provider',
        description: 'The provider redirects the browser to it.',
        params: ProviderParams,
        response,
      },
    },
    async (request, reply) => {
      const provider = providerNamed(deps, request.params.provider)
      return leading(deps, reply, provider, async () => {
        const { flow, proven } = await finishAt(provider, { deps, request, reply })
        if (flow.link !== null) return linkFor(deps, provider, flow.link, proven)
        if (flow.proof !== null) return proveFor(deps, provider, flow.proof, proven)
        const groups = await namedGroups(deps.database, provider, proven)
        const value = ticketOf(deps, provider, { flow, proven, groups })
        keepSealed(request, reply, deps.config, { kind: 'ticket', value })
        return PAGE
      })
    },
  )
}

async function linkFor(
  deps: AuthRouteDeps,
  provider: Provider,
  link: NonNullable<Flow['link']>,
  proven: ProvenIdentity,
): Promise<string> {
  const { name } = factsOf(proven, provider.settings)
  await linkIdentity(deps, link, { provider, subject: proven.subject, name })
  return pageWith({ linked: provider.settings.id })
}

async function proveFor(
  deps: AuthRouteDeps,
  { settings: { id, issuer } }: Provider,
  proof: BegunProof,
  { subject }: ProvenIdentity,
): Promise<string> {
  await finishProof(deps, proof, { issuer, subject })
  return pageWith({ proven: id })
}

function ticketOf(
  { sealer }: AuthRouteDeps,
  { settings }: Provider,
  { flow, proven, groups }: { flow: Flow; proven: ProvenIdentity; groups: Ticket['groups'] },
): string {
  const { subject, providerSession } = proven
  const expiresAt = Date.now() + FLOW_SECONDS * 1000
  return seal(sealer, 'ticket', {
    ...{ id: newToken(), provider: settings.id, subject, providerSession, next: flow.next, expiresAt },
    groups,
    ...factsOf(proven, settings),
  })
}

/** Redirects the browser, also after a failure, so that a person sees a page instead of JSON. */
async function leading(
  { log }: Pick<AuthRouteDeps, 'log'>,
  reply: FastifyReply,
  { settings }: Provider,
  work: () => Promise<string>,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  try {
    return reply.redirect(await work())
  } catch (error) {
    if (error instanceof ProviderError)
      log.warn({ provider: settings.id }, `no login by a provider: ${error.message}`)
    return reply.redirect(pageWith({ error: causeOf(error), provider: settings.id }))
  }
}

function causeOf(error: unknown): string {
  if (error instanceof ProviderError) return CAUSES[error.fault]
  if (error instanceof ApiError) return error.code
  throw error
}

function pageWith(query: Record<string, string>): string {
  return `${PAGE}?${new URLSearchParams(query)}`
}
