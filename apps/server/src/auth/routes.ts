import { LoginBody, LoginResult, RefreshBody, Session, SessionParams, SigninBody } from '@foyer/protocol/auth'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Config } from '#src/config.ts'
import { givenSessionToken, setSessionCookie } from '#src/kernel/http/authentication.ts'
import { readBody } from '#src/kernel/http/body.ts'
import { type App, human } from '#src/kernel/http/types.ts'
import { endSession, logIn, logOut, refreshSession } from './actions/sessions.ts'
import { createAccount } from './actions/signin.ts'
import type { AuthDeps } from './deps.ts'
import { mailLinkRoutes } from './mail-link-routes.ts'
import { ownAccountRoutes } from './own-account-routes.ts'
import { listSessions, type Origin } from './queries.ts'
import { sessionOf } from './session-of.ts'

export type AuthRouteDeps = AuthDeps & { config: Config }

const tags = ['Authentication']
const MAX_DEVICE_LENGTH = 256

export function authRoutes(app: App, deps: AuthRouteDeps): void {
  loginRoutes(app, deps)
  sessionRoutes(app, deps)
  ownAccountRoutes(app, deps)
  mailLinkRoutes(app, deps)
}

function loginRoutes(app: App, deps: AuthRouteDeps): void {
  const { config } = deps

  app.post(
    '/api/auth/signin',
    {
      config: { access: 'public', limits: ['signin'] },
      schema: { tags, summary: 'Sign Up', body: SigninBody, response: { 200: LoginResult } },
    },
    async (request, reply) => {
      const body = await readBody(request)
      return withCookie(reply, config, await createAccount(deps, body, originOf(request)))
    },
  )

  app.post(
    '/api/auth/login',
    {
      config: { access: 'public', limits: ['login'] },
      schema: { tags, summary: 'Log In', body: LoginBody, response: { 200: LoginResult } },
    },
    async (request, reply) => {
      const body = await readBody(request)
      const client = { ...originOf(request), sessionToken: givenSessionToken(request.headers) }
      return withCookie(reply, config, await logIn(deps, body, client))
    },
  )

  app.post(
    '/api/auth/refresh',
    {
      config: { access: 'public', limits: ['refresh'] },
      schema: { tags, summary: 'Refresh Tokens', body: RefreshBody, response: { 200: LoginResult } },
    },
    async (request, reply) => {
      const given = givenRefresh(request, await readBody(request))
      return withCookie(reply, config, await refreshSession(deps, given))
    },
  )
}

function sessionRoutes(app: App, deps: AuthRouteDeps): void {
  app.post(
    '/api/auth/logout',
    {
      config: { access: 'human', limits: ['refresh'] },
      schema: { tags, summary: 'Log Out', response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await logOut(deps, sessionOf(request))
      return withoutCookie(reply, deps.config).code(204).send(null)
    },
  )

  app.get(
    '/api/auth/sessions',
    {
      config: human,
      schema: { tags, summary: 'List Sessions', response: { 200: Type.Array(Session) } },
    },
    async (request) => listSessions(deps.database, sessionOf(request)),
  )

  app.delete(
    '/api/auth/sessions/:sessionId',
    {
      config: human,
      schema: { tags, summary: 'End Session', params: SessionParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await endSession(deps, request.caller.user.id, request.params.sessionId)
      return reply.code(204).send(null)
    },
  )
}

function originOf(request: FastifyRequest): Origin {
  const device = request.headers['user-agent'] ?? ''
  return { device: device.slice(0, MAX_DEVICE_LENGTH), address: request.ip }
}

/** The body speaks for this request; the cookie may be of a session that another tab has opened since. */
function givenRefresh({ headers, ip }: FastifyRequest, body: RefreshBody) {
  const header = givenSessionToken({ ...headers, cookie: undefined })
  const sessionToken = header ?? body.session_token ?? givenSessionToken(headers)
  return { refreshToken: body.refresh_token, sessionToken, address: ip }
}

function withCookie(reply: FastifyReply, config: Config, result: LoginResult): LoginResult {
  const maxAgeSeconds = Math.floor((Date.parse(result.session_expires_at) - Date.now()) / 1000)
  setSessionCookie(reply, { token: result.session_token, maxAgeSeconds, secure: isSecure(config) })
  return result
}

function withoutCookie(reply: FastifyReply, config: Config): FastifyReply {
  setSessionCookie(reply, { token: '', maxAgeSeconds: 0, secure: isSecure(config) })
  return reply
}

function isSecure({ publicUrl }: Config): boolean {
  return publicUrl?.startsWith('https:') === true
}
