import { LoginAnswer, LoginBody, RefreshBody, Session, SessionParams, SigninBody } from '@foyer/protocol/auth'
import { SignupPuzzle } from '@foyer/protocol/puzzle'
import { Type } from 'typebox'
import { givenSessionToken } from '#src/kernel/http/authentication.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import { networkOf } from '#src/kernel/http/network-of.ts'
import { type App, accountCare } from '#src/kernel/http/types.ts'
import { endSession, logIn, logOut, refreshSession } from './actions/sessions.ts'
import { createAccount } from './actions/signin.ts'
import { clientOf } from './client.ts'
import type { AuthRouteDeps } from './deps.ts'
import { mailLinkRoutes } from './mail-link-routes.ts'
import { providerRoutes } from './oidc/routes.ts'
import { ownAccountRoutes } from './own-account-routes.ts'
import { ownerProofRoutes } from './owner-proofs/routes.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { demandPasswords, demandPasswordsOrClaim } from './password-login.ts'
import { listSessions } from './queries.ts'
import { secondFactorRoutes } from './second-factors/routes.ts'
import { sessionOf } from './session-of.ts'
import { answerLogin, clearTokenCookies, givenRefresh, wantsCookies } from './token-cookies.ts'
import { wayBackRoutes } from './way-back/routes.ts'

const tags = ['Authentication']
const description =
  'With the header `X-Token-Storage: cookie`, a page of this server gets its refresh and session tokens as cookies instead of in the answer.'

export function authRoutes(app: App, deps: AuthRouteDeps): void {
  puzzleRoute(app, deps)
  loginRoutes(app, deps)
  refreshRoute(app, deps)
  sessionRoutes(app, deps)
  ownAccountRoutes(app, deps)
  ownerProofRoutes(app, deps)
  secondFactorRoutes(app, deps)
  passkeyRoutes(app, deps)
  mailLinkRoutes(app, deps)
  wayBackRoutes(app, deps)
  providerRoutes(app, deps)
}

function puzzleRoute(app: App, { signupPuzzles }: AuthRouteDeps): void {
  app.get(
    '/api/auth/puzzle',
    {
      config: { access: 'public', limits: ['puzzle'] },
      schema: {
        tags,
        summary: 'Get Sign-Up Puzzle',
        description: 'Its solution is sent with Sign Up, from the same address.',
        response: { 200: SignupPuzzle },
      },
    },
    async (request) => ({ puzzle: await signupPuzzles.offer(networkOf(request.ip)) }),
  )
}

function loginRoutes(app: App, deps: AuthRouteDeps): void {
  const { config } = deps

  app.post(
    '/api/auth/signin',
    {
      config: { access: 'public', limits: ['signin'] },
      schema: { tags, summary: 'Sign Up', description, body: SigninBody, response: { 200: LoginAnswer } },
    },
    async (request, reply) => {
      const inCookies = wantsCookies(request, config)
      const body = await readBody(request)
      await demandPasswordsOrClaim(deps, body.invite)
      const result = await createAccount(deps, body, clientOf(request, config))
      return answerLogin(request, reply, { result, config, inCookies })
    },
  )

  app.post(
    '/api/auth/login',
    {
      config: { access: 'public', limits: ['login'] },
      schema: { tags, summary: 'Log In', description, body: LoginBody, response: { 200: LoginAnswer } },
    },
    async (request, reply) => {
      demandPasswords(config)
      const inCookies = wantsCookies(request, config)
      const client = { ...clientOf(request, config), sessionToken: givenSessionToken(request.headers) }
      const result = await logIn(deps, await readBody(request), client)
      return answerLogin(request, reply, { result, config, inCookies })
    },
  )
}

function refreshRoute(app: App, deps: AuthRouteDeps): void {
  const { config } = deps
  app.post(
    '/api/auth/refresh',
    {
      config: { access: 'public', limits: ['refresh'] },
      schema: {
        tags,
        summary: 'Refresh Tokens',
        description,
        body: RefreshBody,
        response: { 200: LoginAnswer },
      },
    },
    async (request, reply) => {
      const inCookies = wantsCookies(request, config)
      const given = givenRefresh(request, await readBody(request), { inCookies, config })
      return answerLogin(request, reply, { result: await refreshSession(deps, given), config, inCookies })
    },
  )
}

function sessionRoutes(app: App, deps: AuthRouteDeps): void {
  app.post(
    '/api/auth/logout',
    {
      config: { ...accountCare, limits: ['refresh'] },
      schema: { tags, summary: 'Log Out', response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await logOut(deps, sessionOf(request))
      clearTokenCookies(request, reply, deps.config)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/api/auth/sessions',
    {
      config: accountCare,
      schema: { tags, summary: 'List Sessions', response: { 200: Type.Array(Session) } },
    },
    async (request) => listSessions(deps.database, sessionOf(request)),
  )

  app.delete(
    '/api/auth/sessions/:sessionId',
    {
      config: accountCare,
      schema: { tags, summary: 'End Session', params: SessionParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      const { userId, sessionId } = sessionOf(request)
      await endSession(deps, userId, request.params.sessionId)
      if (request.params.sessionId === sessionId) clearTokenCookies(request, reply, deps.config)
      return reply.code(204).send(null)
    },
  )
}
