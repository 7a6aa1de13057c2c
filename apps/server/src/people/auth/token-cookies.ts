import type { LoginAnswer, LoginResult, RefreshBody } from '@foyer/protocol/auth'
import { REFRESH_COOKIE, SESSION_COOKIE, TOKEN_STORAGE_HEADER } from '@foyer/protocol/token-names'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#src/config.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { givenSessionToken } from '#src/kernel/http/authentication.ts'
import { cookiesNamed, setCookie } from '#src/kernel/http/cookies.ts'
import { sessionIdOf } from '#src/kernel/secrets/tokens.ts'
import type { GivenRefresh } from './actions/sessions.ts'

type PublicUrl = Pick<Config, 'publicUrl'>

/**
 * Returns true if a page of this server asks for cookies.
 * @throws ApiError 403 for another site, whose requests would carry the person's cookies without their knowledge
 */
export function wantsCookies(request: FastifyRequest, { publicUrl }: PublicUrl): boolean {
  if (request.headers[TOKEN_STORAGE_HEADER] !== 'cookie') return false
  if (isOfOwnPage(request, publicUrl)) return true
  throw new ApiError('cross_site')
}

/**
 * Returns the answer to a login. With `inCookies`, the refresh and session tokens are only in cookies. Otherwise they are
 * in the body, and the session token is also in a cookie.
 */
export function answerLogin(
  request: FastifyRequest,
  reply: FastifyReply,
  { result, config, inCookies }: { result: LoginResult; config: PublicUrl; inCookies: boolean },
): LoginAnswer {
  const { session_token: sessionToken, refresh_token: refreshToken, ...open } = result
  const secure = isSecure(request, config)
  const maxAgeSeconds = Math.floor((Date.parse(result.session_expires_at) - Date.now()) / 1000)
  setCookie(reply, { ...sessionCookie(sessionToken), maxAgeSeconds, secure })
  if (!inCookies) return result
  setCookie(reply, { ...refreshCookie(refreshToken, secure), maxAgeSeconds, secure })
  return open
}

/** Clears both cookies. */
export function clearTokenCookies(request: FastifyRequest, reply: FastifyReply, config: PublicUrl): void {
  const secure = isSecure(request, config)
  setCookie(reply, { ...sessionCookie(''), maxAgeSeconds: 0, secure })
  setCookie(reply, { ...refreshCookie('', secure), maxAgeSeconds: 0, secure })
}

/**
 * Returns the tokens of a refresh request. The body takes precedence: the cookies may belong to a session that another
 * tab has opened since.
 * @throws ApiError 400 without a refresh token
 */
export function givenRefresh(
  request: FastifyRequest,
  body: RefreshBody,
  { inCookies, config }: { inCookies: boolean; config: PublicUrl },
): GivenRefresh {
  const { headers, ip: address } = request
  const { refresh_token: refreshToken, session_id: sessionId } = body
  if (refreshToken !== undefined) {
    const header = givenSessionToken({ ...headers, cookie: undefined })
    const sessionToken = header ?? body.session_token ?? givenSessionToken(headers)
    return { refreshToken, sessionToken, address, mayRepeat: inCookies }
  }
  if (!inCookies) throw new ApiError('invalid_request', 'refresh_token is required')
  if (sessionId === undefined) throw new ApiError('invalid_request', 'session_id is required')
  const { name } = refreshCookie('', isSecure(request, config))
  const [refresh = '', session] = [name, SESSION_COOKIE].map((cookie) =>
    cookiesNamed(cookie, headers.cookie).find((token) => sessionIdOf(token) === sessionId),
  )
  return { refreshToken: refresh, sessionToken: session, address, mayRepeat: true }
}

/**
 * Uses the headers in which browsers state a request's origin. Pages cannot change them. Without TLS they are less
 * precise.
 */
function isOfOwnPage({ headers, host }: FastifyRequest, publicUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin } = headers
  if (site !== undefined) return site === 'same-origin'
  if (origin === undefined) return true
  return URL.parse(origin)?.host === host || origin === URL.parse(publicUrl ?? '')?.origin
}

/**
 * Returns true if cookies can be Secure. Browsers reject Secure cookies on pages without TLS, such as pages of another
 * machine on the local network.
 */
export function isSecure({ headers }: FastifyRequest, { publicUrl }: PublicUrl): boolean {
  return publicUrl?.startsWith('https:') === true && !headers.origin?.startsWith('http:')
}

function sessionCookie(value: string) {
  return { name: SESSION_COOKIE, value, path: '/', sameSite: 'Lax' } as const
}

/** Returns the cookie of the refresh token. Its prefix keeps pages without TLS from setting it. */
function refreshCookie(value: string, secure: boolean) {
  const name = secure ? `__Secure-${REFRESH_COOKIE}` : REFRESH_COOKIE
  return { name, value, path: '/api/auth', sameSite: 'Strict' } as const
}
