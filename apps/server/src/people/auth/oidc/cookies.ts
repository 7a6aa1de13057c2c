import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#src/config.ts'
import { cookiesNamed, setCookie } from '#src/kernel/http/cookies.ts'
import { isSecure } from '../token-cookies.ts'
import { FLOW_SECONDS } from './sealed.ts'

const kinds = {
  /** Lax: the provider's page redirects back here. */
  flow: { name: 'foyer_oidc_flow', sameSite: 'Lax' },
  ticket: { name: 'foyer_oidc_ticket', sameSite: 'Strict' },
} as const
type Kind = keyof typeof kinds

type PublicUrl = Pick<Config, 'publicUrl'>

/** Sets a sealed value as a cookie, or clears it if it is empty. */
export function keepSealed(
  request: FastifyRequest,
  reply: FastifyReply,
  config: PublicUrl,
  { kind, value }: { kind: Kind; value: string },
): void {
  const secure = isSecure(request, config)
  const maxAgeSeconds = value === '' ? 0 : FLOW_SECONDS
  const { sameSite } = kinds[kind]
  setCookie(reply, {
    name: nameOf(kind, secure),
    value,
    path: '/api/auth/oidc',
    sameSite,
    maxAgeSeconds,
    secure,
  })
}

export function givenSealed(request: FastifyRequest, config: PublicUrl, kind: Kind): string | undefined {
  return cookiesNamed(nameOf(kind, isSecure(request, config)), request.headers.cookie)[0]
}

/** Returns the name of the cookie. Its prefix keeps pages without TLS from setting the cookie. */
function nameOf(kind: Kind, secure: boolean): string {
  return secure ? `__Secure-${kinds[kind].name}` : kinds[kind].name
}
