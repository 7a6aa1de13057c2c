import { AUDIT_REASON_HEADER } from '@foyer/protocol/audit-reason'
import { SESSION_COOKIE, SESSION_HEADER } from '@foyer/protocol/token-names'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import type { Credentials, GivenCredential } from '../secrets/credentials.ts'
import type { SecondFactorRules } from '../secrets/second-factor-rule.ts'
import { givenReason } from './audit-reason.ts'
import { cookiesNamed } from './cookies.ts'

export interface AuthenticationDeps {
  credentials: Pick<Credentials, 'authenticate'>
  secondFactorRules: Pick<SecondFactorRules, 'bars'>
}

/**
 * Refuses requests without a valid credential, bots on human-only routes, and sessions that lack a required second
 * factor.
 */
export function authentication({ credentials, secondFactorRules }: AuthenticationDeps) {
  return async (request: FastifyRequest): Promise<void> => {
    if (request.is404) return
    const { access, isForAccountCare } = request.routeOptions.config
    if (access === 'public') return
    const caller = await credentials.authenticate(givenCredential(request.headers), request.ip)
    if (caller === undefined) throw new ApiError('authentication_required')
    if (access === 'human' && caller.kind === 'bot') throw new ApiError('bots_not_allowed')
    if (!isForAccountCare && (await secondFactorRules.bars(caller)))
      throw new ApiError('second_factor_needed')
    const reason = givenReason(request.headers[AUDIT_REASON_HEADER])
    request.authenticated = reason === undefined ? caller : { ...caller, audit: { reason } }
  }
}

interface Headers {
  authorization?: string | undefined
  cookie?: string | undefined
  [SESSION_HEADER]?: string | string[] | undefined
}

/** Returns the credential in a request's headers. The session cookie is only used without a session header. */
export function givenCredential(headers: Headers): GivenCredential {
  return { authorization: headers.authorization, sessionToken: givenSessionToken(headers) }
}

export function givenSessionToken(headers: Headers): string | undefined {
  const header = headers[SESSION_HEADER]
  return header === undefined ? cookiesNamed(SESSION_COOKIE, headers.cookie)[0] : String(header)
}
