import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What a signed token says. The three kinds of one login share a session. */
export interface TokenClaims {
  kind: 'access' | 'refresh' | 'session'
  userId: string
  sessionId: string
  /** Counts the refreshes of the session. */
  generation: number
  /** Milliseconds since 1970. */
  expiresAt: number
}

const KINDS: Record<string, TokenClaims['kind']> = {
  access: 'access',
  refresh: 'refresh',
  session: 'session',
}
const FIELDS = 6

/** Signs and reads tokens with a key derived from SECRET_KEY; nothing of them needs to be stored. */
export class TokenSigner {
  readonly #key: Uint8Array

  constructor(secretKey: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'foyer tokens', 32))
  }

  sign(claims: TokenClaims): string {
    const { kind, userId, sessionId, generation, expiresAt } = claims
    const payload = [kind, userId, sessionId, generation, expiresAt].join('.')
    return `${payload}.${this.#mac(payload).toString('base64url')}`
  }

  /** The claims of a token that we signed for this kind of use and that has not expired. */
  verify(token: string, kind: TokenClaims['kind'], now: number): TokenClaims | undefined {
    const claims = this.#read(token)
    return claims?.kind === kind && claims.expiresAt > now ? claims : undefined
  }

  #read(token: string): TokenClaims | undefined {
    const fields = token.split('.')
    const [kind = '', userId = '', sessionId = '', generation, expiresAt, mac = ''] = fields
    const known = KINDS[kind]
    if (fields.length !== FIELDS || known === undefined) return undefined
    if (!this.#isMac(token.slice(0, token.lastIndexOf('.')), mac)) return undefined
    return { kind: known, userId, sessionId, generation: Number(generation), expiresAt: Number(expiresAt) }
  }

  #isMac(payload: string, mac: string): boolean {
    const expected = this.#mac(payload)
    const given = Buffer.from(mac, 'base64url')
    // The text is compared too: base64 has several texts for the same bytes, and a token has exactly one.
    return (
      given.length === expected.length &&
      timingSafeEqual(given, expected) &&
      given.toString('base64url') === mac
    )
  }

  #mac(payload: string): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest()
  }
}
