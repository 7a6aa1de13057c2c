import { Macs } from './macs.ts'

/**
 * The content of a signed token. The first three kinds belong to a login and share its session; `doctor` belongs to
 * the holder of SECRET_KEY.
 */
export interface TokenClaims {
  kind: 'access' | 'refresh' | 'session' | 'doctor'
  userId: string
  sessionId: string
  /** Number of refreshes of the session. */
  generation: number
  /** Milliseconds since 1970. */
  expiresAt: number
}

const KINDS: Record<string, TokenClaims['kind']> = {
  access: 'access',
  refresh: 'refresh',
  session: 'session',
  doctor: 'doctor',
}
const FIELDS = 6

/** Returns the session that a token claims to belong to. It is unproven before `verify`. */
export function sessionIdOf(token: string): string | undefined {
  return token.split('.')[2]
}

/** Signs and verifies tokens with a key derived from SECRET_KEY. Tokens need not be stored. */
export class TokenSigner {
  readonly #macs: Macs

  constructor(secretKey: string) {
    this.#macs = new Macs(secretKey, 'foyer tokens')
  }

  sign(claims: TokenClaims): string {
    const { kind, userId, sessionId, generation, expiresAt } = claims
    const payload = [kind, userId, sessionId, generation, expiresAt].join('.')
    return `${payload}.${this.#macs.of(payload)}`
  }

  /** Returns the claims of a token that we signed for this use and that has not expired. */
  verify(token: string, kind: TokenClaims['kind'], now: number): TokenClaims | undefined {
    const claims = this.#read(token)
    return claims?.kind === kind && claims.expiresAt > now ? claims : undefined
  }

  #read(token: string): TokenClaims | undefined {
    const fields = token.split('.')
    const [kind = '', userId = '', sessionId = '', generation, expiresAt, mac = ''] = fields
    const known = KINDS[kind]
    if (fields.length !== FIELDS || known === undefined) return undefined
    if (!this.#macs.isOf(token.slice(0, token.lastIndexOf('.')), mac)) return undefined
    return { kind: known, userId, sessionId, generation: Number(generation), expiresAt: Number(expiresAt) }
  }
}
