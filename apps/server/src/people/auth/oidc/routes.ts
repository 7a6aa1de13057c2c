import { OwnIdentities, ProviderLogout, ProviderParams, ProviderStart } from '@foyer/protocol/oidc'
import { ProofBody } from '@foyer/protocol/second-factors'
import { Type } from 'typebox'
import { ApiError } from '#src/kernel/errors.ts'
import { readBody, readOptionalBody } from '#src/kernel/http/bodies/body.ts'
import { readBytes } from '#src/kernel/http/bodies/body-bytes.ts'
import { type App, accountCare } from '#src/kernel/http/types.ts'
import type { AuthRouteDeps } from '../deps.ts'
import { checkProof } from '../owner-proofs/check.ts'
import { sessionOf } from '../session-of.ts'
import { beginAt, originOf, providerNamed, refuseByProvider } from './browser-flow.ts'
import { browserRoutes } from './browser-routes.ts'
import { findOwnIdentities, unlinkIdentity } from './links.ts'
import { findLogoutPage } from './own-logout.ts'
import { endProviderSessions } from './provider-logout.ts'
import { ticketRoutes } from './ticket-routes.ts'

const tags = ['Authentication']
const root = '/api/users/@me/identities'
const asksForPassword = { ...accountCare, limits: ['login'] } as const

export function providerRoutes(app: App, deps: AuthRouteDeps): void {
  browserRoutes(app, deps)
  ticketRoutes(app, deps)
  identityRoutes(app, deps)
  ownLogoutRoute(app, deps)
  logoutRoute(app, deps)
}

const listing = { tags, summary: 'List Own Identities', response: { 200: OwnIdentities } }

function identityRoutes(app: App, deps: AuthRouteDeps): void {
  app.get(root, { config: accountCare, schema: listing }, async (request) =>
    findOwnIdentities(deps, sessionOf(request)),
  )

  app.post(
    `${root}/:provider/start`,
    {
      config: asksForPassword,
      schema: {
        tags,
        summary: 'Start Linking Identity',
        description: 'Returns the address of a page of the provider, which this browser then opens.',
        params: ProviderParams,
        body: ProofBody,
        response: { 200: ProviderStart },
      },
    },
    async (request, reply) => {
      const provider = providerNamed(deps, request.params.provider)
      const link = sessionOf(request)
      await checkProof(deps, link, await readBody(request))
      const beginning = { deps, request, reply, next: '/', base: app.listeningOrigin, link, proof: null }
      return { url: await beginAt(provider, beginning).catch(refuseByProvider) }
    },
  )

  app.delete(
    `${root}/:provider`,
    {
      config: asksForPassword,
      schema: {
        tags,
        summary: 'Unlink Identity',
        params: ProviderParams,
        body: ProofBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const provider = providerNamed(deps, request.params.provider)
      await unlinkIdentity(deps, sessionOf(request), provider, await readOptionalBody(request))
      return reply.code(204).send(null)
    },
  )
}

function ownLogoutRoute(app: App, deps: AuthRouteDeps): void {
  app.get(
    '/api/auth/oidc/logout',
    {
      config: { ...accountCare, limits: ['login'] },
      schema: {
        tags,
        summary: 'Get Log-Out Page of Provider',
        description: 'For a session that a provider has opened. The browser opens the page after Log Out.',
        response: { 200: ProviderLogout },
      },
    },
    async (request) => {
      const backTo = `${originOf(request, deps.config, app.listeningOrigin)}/`
      return findLogoutPage(deps, sessionOf(request).sessionId, backTo)
    },
  )
}

function logoutRoute(app: App, deps: AuthRouteDeps): void {
  app.post(
    '/api/auth/oidc/:provider/backchannel-logout',
    {
      config: { access: 'public', limits: ['providerLogout'] },
      schema: {
        tags,
        summary: 'End Sessions by Provider',
        description:
          'Called by the provider (OpenID Connect Back-Channel Logout 1.0), with a form whose field `logout_token` names whom it has logged out.',
        params: ProviderParams,
        response: { 200: Type.Object({}) },
      },
    },
    async (request, reply) => {
      const provider = providerNamed(deps, request.params.provider)
      const form = new URLSearchParams((await readBytes(request)).toString())
      const token = form.get('logout_token')
      if (token === null) throw new ApiError('invalid_logout_token')
      await endProviderSessions(deps, provider, token)
      return reply.header('cache-control', 'no-store').code(200).send({})
    },
  )
}
