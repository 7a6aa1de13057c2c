import { LoginAnswer, LoginBody, type LoginResult } from '@foyer/protocol/auth'
import { ProviderLoginBody, ProviderSignupBody, SignInTicket } from '@foyer/protocol/oidc'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#src/kernel/errors.ts'
import { givenSessionToken } from '#src/kernel/http/authentication.ts'
import { readBody } from '#src/kernel/http/bodies/body.ts'
import type { App } from '#src/kernel/http/types.ts'
import { maskAddress } from '#src/kernel/mail/addresses.ts'
import { isIdentityPending } from '#src/people/registration/queries.ts'
import { clientOf } from '../client.ts'
import type { AuthRouteDeps } from '../deps.ts'
import { answerLogin, wantsCookies } from '../token-cookies.ts'
import { suggestedUsername } from './claims.ts'
import { givenSealed, keepSealed } from './cookies.ts'
import { type GivenTicket, linkByTicket, logInByTicket, openerOf, signUpByTicket } from './login.ts'
import { findOwnerOf } from './queries.ts'
import { openTicket } from './sealed.ts'

const tags = ['Authentication']
const description =
  'The identity is in a cookie, which the callback of the provider set. With the header `X-Token-Storage: cookie`, a page of this server gets its tokens as cookies, too.'

/** Routes that continue with an identity that a provider has confirmed to this browser. */
export function ticketRoutes(app: App, deps: AuthRouteDeps): void {
  app.get(
    '/api/auth/oidc/ticket',
    {
      config: { access: 'public', limits: ['login'] },
      schema: { tags, summary: 'Get Confirmed Identity', description, response: { 200: SignInTicket } },
    },
    async (request) => describe(deps, givenTicket(deps, request)),
  )
  openingRoutes(app, deps)
}

function openingRoutes(app: App, deps: AuthRouteDeps): void {
  const config = { access: 'public', limits: ['login'] } as const
  const response = { 200: LoginAnswer }

  app.post(
    '/api/auth/oidc/login',
    {
      config,
      schema: { tags, summary: 'Log In by Provider', description, body: ProviderLoginBody, response },
    },
    async (request, reply) =>
      opening(deps, request, reply, async (given) =>
        logInByTicket(deps, given, await readBody(request), clientOf(request, deps.config)),
      ),
  )

  app.post(
    '/api/auth/oidc/signup',
    {
      config,
      schema: { tags, summary: 'Sign Up by Provider', description, body: ProviderSignupBody, response },
    },
    async (request, reply) =>
      opening(deps, request, reply, async (given) => {
        const body = await readBody(request)
        return signUpByTicket(deps, given, body, clientOf(request, deps.config))
      }),
  )

  app.post(
    '/api/auth/oidc/link',
    {
      config,
      schema: {
        tags,
        summary: 'Log In And Link Provider',
        description: `Links the identity to an account that exists. ${description}`,
        body: LoginBody,
        response,
      },
    },
    async (request, reply) =>
      opening(deps, request, reply, async (given) => {
        const client = { ...clientOf(request, deps.config), sessionToken: givenSessionToken(request.headers) }
        return linkByTicket(deps, given, await readBody(request), client)
      }),
  )
}

/** Answers like a login, and removes the ticket from the browser. */
async function opening(
  deps: AuthRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  open: (given: GivenTicket) => Promise<LoginResult>,
): Promise<LoginAnswer> {
  const { config } = deps
  const inCookies = wantsCookies(request, config)
  const result = await open(givenTicket(deps, request))
  keepSealed(request, reply, config, { kind: 'ticket', value: '' })
  return answerLogin(request, reply, { result, config, inCookies })
}

/** @throws ApiError 403 if the browser has no valid ticket of a known provider */
function givenTicket({ config, sealer, providers }: AuthRouteDeps, request: FastifyRequest): GivenTicket {
  const ticket = openTicket(sealer, givenSealed(request, config, 'ticket'))
  const provider = ticket && providers.named(ticket.provider)
  if (ticket === undefined || provider === undefined) throw new ApiError('no_ticket')
  return { ticket, provider }
}

async function describe({ database }: AuthRouteDeps, given: GivenTicket): Promise<SignInTicket> {
  const { ticket, provider } = given
  const { id, name } = provider.settings
  return {
    provider: { id, name },
    state: await stateOf(database, given),
    username: suggestedUsername(ticket.name),
    masked_email: ticket.email === null ? null : maskAddress(ticket.email),
    next: ticket.next,
  }
}

async function stateOf(
  database: AuthRouteDeps['database'],
  given: GivenTicket,
): Promise<SignInTicket['state']> {
  const identity = openerOf(given)
  if ((await findOwnerOf(database, identity)) !== undefined) return 'linked'
  return (await isIdentityPending(database, identity)) ? 'applied' : 'unknown'
}
