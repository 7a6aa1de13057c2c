import { LoginAnswer } from '@foyer/protocol/auth'
import {
  AddPasskeyBody,
  Passkey,
  PasskeyCreationOptions,
  PasskeyLoginBody,
  PasskeyParams,
  PasskeyRequestOptions,
  UpdatePasskeyBody,
} from '@foyer/protocol/passkeys'
import { ProofBody } from '@foyer/protocol/second-factors'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { type App, accountCare } from '#src/kernel/http/types.ts'
import { serverNameOf } from '#src/kernel/server-name.ts'
import { clientOf } from '../client.ts'
import type { AuthRouteDeps } from '../deps.ts'
import { sessionOf } from '../session-of.ts'
import { answerLogin, wantsCookies } from '../token-cookies.ts'
import { addPasskey, type NamedSite, preparePasskey, removePasskey, updatePasskey } from './actions.ts'
import { logInByPasskey, preparePasskeyLogin } from './login.ts'
import { listPasskeys } from './queries.ts'
import { passkeySiteOf } from './site.ts'

const tags = ['Authentication']
const root = '/api/users/@me/passkeys'
const asksForPassword = { ...accountCare, limits: ['login'] } as const

export function passkeyRoutes(app: App, deps: AuthRouteDeps): void {
  loginRoutes(app, deps)
  addRoutes(app, deps)
  ownRoutes(app, deps)
}

function loginRoutes(app: App, deps: AuthRouteDeps): void {
  const { config } = deps

  app.post(
    '/api/auth/passkeys/options',
    {
      config: { access: 'public', limits: ['passkeyOptions'] },
      schema: {
        tags,
        summary: 'Prepare Log-In by Passkey',
        description: 'The answer does not show whether an account exists.',
        response: { 200: PasskeyRequestOptions },
      },
    },
    async (request) => preparePasskeyLogin(deps.database, passkeySiteOf(request, config)),
  )

  app.post(
    '/api/auth/passkeys/login',
    {
      config: { access: 'public', limits: ['login'] },
      schema: {
        tags,
        summary: 'Log In by Passkey',
        description: 'Returns what Log In returns. No code is needed.',
        body: PasskeyLoginBody,
        response: { 200: LoginAnswer },
      },
    },
    async (request, reply) => {
      const inCookies = wantsCookies(request, config)
      const given = { site: passkeySiteOf(request, config), client: clientOf(request, config) }
      const result = await logInByPasskey(deps, await readBody(request), given)
      return answerLogin(request, reply, { result, config, inCookies })
    },
  )
}

function addRoutes(app: App, deps: AuthRouteDeps): void {
  app.post(
    `${root}/options`,
    {
      config: asksForPassword,
      schema: {
        tags,
        summary: 'Prepare Passkey',
        description: 'The new passkey is added with Add Passkey, within five minutes.',
        body: ProofBody,
        response: { 200: PasskeyCreationOptions },
      },
    },
    async (request) => {
      const { sessionId } = sessionOf(request)
      const given = { ...namedSiteOf(request, deps), sessionId, proof: await readBody(request) }
      return preparePasskey(deps, request.caller.user, given)
    },
  )

  app.post(
    root,
    {
      config: accountCare,
      schema: { tags, summary: 'Add Passkey', body: AddPasskeyBody, response: { 200: Passkey } },
    },
    async (request) => {
      const given = { site: passkeySiteOf(request, deps.config), client: clientOf(request, deps.config) }
      return addPasskey(deps, sessionOf(request), { ...given, body: await readBody(request) })
    },
  )
}

function ownRoutes(app: App, deps: AuthRouteDeps): void {
  app.get(
    root,
    {
      config: accountCare,
      schema: { tags, summary: 'List Own Passkeys', response: { 200: Type.Array(Passkey) } },
    },
    async (request) => listPasskeys(deps.database, request.caller.user.id),
  )

  app.patch(
    `${root}/:passkeyId`,
    {
      config: accountCare,
      schema: {
        tags,
        summary: 'Rename Passkey',
        params: PasskeyParams,
        body: UpdatePasskeyBody,
        response: { 200: Passkey },
      },
    },
    async (request) => {
      const { name } = await readBody(request)
      return updatePasskey(deps.database, request.caller.user.id, { id: request.params.passkeyId, name })
    },
  )

  app.delete(
    `${root}/:passkeyId`,
    {
      config: asksForPassword,
      schema: {
        tags,
        summary: 'Remove Passkey',
        params: PasskeyParams,
        body: ProofBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const removal = { id: request.params.passkeyId, proof: await readBody(request) }
      await removePasskey(deps, sessionOf(request), removal)
      return reply.code(204).send(null)
    },
  )
}

function namedSiteOf(request: FastifyRequest, { config }: AuthRouteDeps): NamedSite {
  const site = passkeySiteOf(request, config)
  return { site, siteName: serverNameOf({ ...config, publicUrl: site.origin }) }
}
