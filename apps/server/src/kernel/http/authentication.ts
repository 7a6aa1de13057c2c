import { SESSION_COOKIE, SESSION_HEADER } from '@foyer/protocol/auth'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Credentials, GivenCredential } from '../credentials.ts'
import { ApiError } from '../errors.ts'

/** Refuses who is nobody, and bots where only people may go. */
export function authentication(credentials: Pick<Credentials, 'authenticate'>) {
  return async (request: FastifyRequest): Promise<void> => {
    if (request.is404) return
    const { access } = request.routeOptions.config
    if (access === 'public') return
    const caller = await credentials.authenticate(givenCredential(request.headers), request.ip)
    if (caller === undefined) throw new ApiError('authentication_required')
    if (access === 'human' && caller.kind === 'bot') throw new ApiError('bots_not_allowed')
    request.authenticated = caller
  }
}

interface Headers {
  authorization?: string | undefined
  cookie?: string | undefined
  [SESSION_HEADER]?: string | string[] | undefined
}

/** The credential in a request's headers. The cookie counts only when the header is absent. */
export function givenCredential(headers: Headers): GivenCredential {
  return { authorization: headers.authorization, sessionToken: givenSessionToken(headers) }
}

export function givenSessionToken(headers: Headers): string | undefined {
  const header = headers[SESSION_HEADER]
  return header === undefined ? readCookie(headers.cookie) : String(header)
}

function readCookie(cookies: string | undefined): string | undefined {
  const pair = cookies?.split(';').find((pair) => pair.trim().startsWith(`${SESSION_COOKIE}=`))
  return pair?.slice(pair.indexOf('=') + 1).trim()
}

export interface SessionCookie {
  /** Empty takes the cookie away. */
  token: string
  maxAgeSeconds: number
  /** Only over https: when PUBLIC_URL is. */
  secure: boolean
}

export function setSessionCookie(reply: FastifyReply, { token, maxAgeSeconds, secure }: SessionCookie): void {
  const attributes = [
    `${SESSION_COOKIE}=${token}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${maxAgeSeconds}`,
  ]
  reply.header('set-cookie', [...attributes, ...(secure ? ['Secure'] : [])].join('; '))
}
