import { createRemoteJWKSet, type JWTPayload, customFetch as joseFetch, jwtVerify } from 'jose'
import type { CustomFetch, ServerMetadata } from 'openid-client'
import { explained, ProviderError } from './provider-error.ts'
import { CLOCK_TOLERANCE_SECONDS, SIGNATURES } from './rules.ts'
import type { ProviderSettings } from './settings.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const REQUEST_MS = 10_000
/** Maximum age of a token. Providers send tokens immediately, so an older one is suspicious. */
const MAX_AGE_SECONDS = 10 * 60
const MAX_TOKEN_LENGTH = 16_384

/** The sessions that a provider has ended. */
export interface LoggedOut {
  /** Id of the token, which can be used once. */
  id: string
  /** Null if the token only names the session at the provider. */
  subject: string | null
  /** The session at the provider; null to end all sessions of the subject. */
  providerSession: string | null
  /** Time until which the token must be remembered, because it could be sent again. */
  expiresAt: Date
}

/** Verifies the tokens by which a provider ends sessions here. Source: OpenID Connect Back-Channel Logout 1.0, 2.6. */
export class LogoutTokens {
  readonly #settings: ProviderSettings
  readonly #fetch: CustomFetch

  constructor(settings: ProviderSettings, fetch: CustomFetch) {
    this.#settings = settings
    this.#fetch = fetch
  }

  /** @throws ProviderError */
  async verify(token: string, { issuer, jwks_uri: keysAt }: ServerMetadata): Promise<LoggedOut> {
    if (keysAt === undefined) throw new ProviderError('invalid', 'the metadata names no keys')
    if (token.length > MAX_TOKEN_LENGTH) throw new ProviderError('invalid', 'the logout token is too long')
    const keys = createRemoteJWKSet(new URL(keysAt), {
      timeoutDuration: REQUEST_MS,
      [joseFetch]: (url, { method, headers }) =>
        this.#fetch(url, { body: null, method, headers: Object.fromEntries(headers), redirect: 'manual' }),
    })
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer,
        audience: this.#settings.clientId,
        algorithms: [...SIGNATURES],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        maxTokenAge: MAX_AGE_SECONDS,
        requiredClaims: ['iat', 'jti', 'events'],
      })
      checkType(protectedHeader.typ)
      return loggedOut(payload)
    } catch (error) {
      throw explained(error)
    }
  }
}

/** Refuses other tokens of the provider, which may have been given to anyone. */
function checkType(type: string | undefined): void {
  const name = type?.toLowerCase().replace(/^application\//, '')
  if (name !== undefined && name !== 'logout+jwt' && name !== 'jwt')
    throw new ProviderError('invalid', 'this is another kind of token')
}

function loggedOut({ jti, sub, sid, events, iat = 0, nonce }: JWTPayload): LoggedOut {
  const isLogout = isObject(events) && isObject(Reflect.get(events, EVENT))
  if (!isLogout) throw new ProviderError('invalid', 'the token is about another event')
  if (nonce !== undefined) throw new ProviderError('invalid', 'a logout token has no nonce')
  const [subject, providerSession] = [textOf(sub), textOf(sid)]
  if (subject === null && providerSession === null)
    throw new ProviderError('invalid', 'the token names neither a subject nor a session')
  if (textOf(jti) === null) throw new ProviderError('invalid', 'the token has no id')
  const expiresAt = new Date((iat + MAX_AGE_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS) * 1000)
  return { id: jti ?? '', subject, providerSession, expiresAt }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
