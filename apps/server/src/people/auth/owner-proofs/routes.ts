import { ProviderParams } from '@foyer/protocol/oidc'
import { OwnerProof, ProveByPasskeyBody, StartedProof, WaysToProve } from '@foyer/protocol/owner-proofs'
import { PasskeyRequestOptions } from '@foyer/protocol/passkeys'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, accountCare } from '#src/kernel/http/types.ts'
import type { AuthRouteDeps } from '../deps.ts'
import { beginAt, providerNamed, refuseByProvider } from '../oidc/browser-flow.ts'
import { findPasskeySite, passkeySiteOf } from '../passkeys/site.ts'
import { sessionOf } from '../session-of.ts'
import { beginProof, findWays, preparePasskeyProof, proveByPasskey } from './actions.ts'

const tags = ['Authentication']
const root = '/api/users/@me/proofs'
const limited = { ...accountCare, limits: ['login'] } as const
const description = 'Where no password counts. The proof is then sent as `proof`, once, within five minutes.'

export function ownerProofRoutes(app: App, deps: AuthRouteDeps): void {
  waysRoute(app, deps)
  providerRoute(app, deps)
  passkeyProofRoutes(app, deps)
}

function waysRoute(app: App, deps: AuthRouteDeps): void {
  app.get(
    root,
    {
      config: accountCare,
      schema: { tags, summary: 'Get Ways to Prove', response: { 200: WaysToProve } },
    },
    async (request) => findWays(deps, request.caller.user.id, findPasskeySite(request, deps.config)),
  )
}

function providerRoute(app: App, deps: AuthRouteDeps): void {
  app.post(
    `${root}/providers/:provider/start`,
    {
      config: limited,
      schema: {
        tags,
        summary: 'Start Proof by Provider',
        description: `The person signs in again there. ${description}`,
        params: ProviderParams,
        response: { 200: StartedProof },
      },
    },
    async (request, reply) => {
      const provider = providerNamed(deps, request.params.provider)
      const { token, begun } = await beginProof(deps, sessionOf(request), provider)
      const from = { deps, request, reply, next: '/', base: app.listeningOrigin, link: null, proof: begun }
      return { proof: token, url: await beginAt(provider, from).catch(refuseByProvider) }
    },
  )
}

function passkeyProofRoutes(app: App, deps: AuthRouteDeps): void {
  app.post(
    `${root}/passkey/options`,
    {
      config: limited,
      schema: {
        tags,
        summary: 'Prepare Proof by Passkey',
        description,
        response: { 200: PasskeyRequestOptions },
      },
    },
    async (request) => preparePasskeyProof(deps, sessionOf(request), passkeySiteOf(request, deps.config)),
  )

  app.post(
    `${root}/passkey`,
    {
      config: limited,
      schema: {
        tags,
        summary: 'Prove by Passkey',
        description,
        body: ProveByPasskeyBody,
        response: { 200: OwnerProof },
      },
    },
    async (request) => {
      const site = passkeySiteOf(request, deps.config)
      return proveByPasskey(deps, sessionOf(request), await readBody(request), site)
    },
  )
}
