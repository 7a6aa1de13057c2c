import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, RawServerDefault } from 'fastify'
import type { Logger } from 'pino'
import type { LimitName } from '../limits/rate-limits.ts'
import type { Caller } from '../secrets/credentials.ts'

/** The HTTP server with request types inferred from the route's schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  Logger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of the request. Reading it on a route with `access: 'public'` throws. */
    caller: Caller
    /** Undefined before authentication, and on public routes. */
    authenticated: Caller | undefined
  }

  interface FastifyContextConfig {
    /** The accounts that may call the route; any by default. */
    access?: 'public' | 'human'
    /** True for routes that work without a required second factor: to set one up, or to leave the server. */
    isForAccountCare?: true
    /** Rate limits in addition to those of every authenticated route. Public routes have no other limits. */
    limits?: readonly LimitName[]
    /** A user, or the owner of bots, can run only one request at a time on all routes with this option. */
    turns?: 'pages'
    /** Clients written for Discord call the route, and expect `retry_after` in the body of a 429. */
    dialect?: 'discord'
    /** A multipart/form-data body, which the route accepts instead of or beside JSON. Used by the API reference. */
    form?: FormShape
    /** The media type of a body that is a file itself. Used by the API reference. */
    file?: string
  }
}

/** The text fields of a multipart/form-data body, and the names of its file fields. */
export interface FormShape {
  texts: { readonly properties: object }
  files: readonly string[]
}

/** For routes that people may use and bots may not. */
export const human = { access: 'human' } as const
/** Like `human`, but also open to sessions that lack a required second factor. */
export const accountCare = { access: 'human', isForAccountCare: true } as const

/**
 * Methods of one route. The first is documented; the second serves clients that expect it. They share their rate
 * limits.
 */
export const updateMethods: ['PATCH', 'PUT'] = ['PATCH', 'PUT']
export const putMethods: ['PUT', 'POST'] = ['PUT', 'POST']
