import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, RawServerDefault } from 'fastify'
import type { Logger } from 'pino'
import type { Caller } from '../credentials.ts'
import type { LimitName } from '../rate-limits.ts'

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
    /** Who makes the request. On a route with `access: 'public'` reading it throws. */
    caller: Caller
    /** Undefined until authentication, and on public routes. */
    authenticated: Caller | undefined
  }

  interface FastifyContextConfig {
    /** Who may call: any account unless said otherwise. */
    access?: 'public' | 'human'
    /** Rate limits on top of, or for public routes instead of, those of every authenticated route. */
    limits?: readonly LimitName[]
    /** Clients written for Discord call the route: they look for `retry_after` in the body of a 429. */
    dialect?: 'discord'
    /** A body of multipart/form-data, which the route takes beside that of JSON, or alone: for the API reference. */
    form?: FormShape
  }
}

/** The texts of a form and the names of its files. */
export interface FormShape {
  texts: { readonly properties: object }
  files: readonly string[]
}

/** For routes that people may use and bots may not. */
export const human = { access: 'human' } as const

/**
 * Methods of one route: the first is the one we name, the second is served too, for clients that could not know. Both
 * count as one for the rate limits.
 */
export const updateMethods: ['PATCH', 'PUT'] = ['PATCH', 'PUT']
export const putMethods: ['PUT', 'POST'] = ['PUT', 'POST']
