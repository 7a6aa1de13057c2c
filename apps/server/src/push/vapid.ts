import { createECDH, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto'
import { growingLru } from '#src/kernel/cache.ts'

const CURVE = 'prime256v1'
/** Order of P-256: the number of private keys plus one. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** 64 bits more than the key, so that all keys are equally likely (FIPS 186-5, A.2.1). */
const SEED_BYTES = 40
const KEY_BYTES = 32
/** Push services refuse tokens valid for over 24 hours. */
const TOKEN_MS = 12 * 60 * 60 * 1000
const RENEWED_MS = 60 * 60 * 1000
const KEPT_TOKENS = 1000

/**
 * Identifies the server to push services (RFC 8292). The key pair is derived from SECRET_KEY, so that all processes
 * share it and none is stored. After a change of SECRET_KEY, browsers have to subscribe again.
 */
export class Vapid {
  /** Uncompressed point of the curve, in base64url. */
  readonly publicKey: string
  readonly #privateKey: KeyObject
  readonly #contact: string
  readonly #tokens = growingLru<{ text: string; expiresAt: number }>(KEPT_TOKENS)

  /** @param contact the operator's address with `mailto:` or `https:` */
  constructor(secretKey: string, contact: string) {
    const pair = createECDH(CURVE)
    pair.setPrivateKey(privateKeyOf(secretKey))
    const point = pair.getPublicKey()
    this.publicKey = point.toString('base64url')
    this.#contact = contact
    this.#privateKey = createPrivateKey({
      format: 'jwk',
      key: {
        kty: 'EC',
        crv: 'P-256',
        x: point.subarray(1, 1 + KEY_BYTES).toString('base64url'),
        y: point.subarray(1 + KEY_BYTES).toString('base64url'),
        d: pair.getPrivateKey().toString('base64url'),
      },
    })
  }

  /** Returns the header that identifies the server. */
  authorizationFor(endpoint: URL, now: number): string {
    const known = this.#tokens.get(endpoint.origin)
    const isFresh = known !== undefined && known.expiresAt - now > RENEWED_MS
    const token = isFresh ? known : this.#makeToken(endpoint.origin, now)
    return `vapid t=${token.text}, k=${this.publicKey}`
  }

  #makeToken(origin: string, now: number): { text: string; expiresAt: number } {
    const expiresAt = now + TOKEN_MS
    const claims = { aud: origin, exp: Math.floor(expiresAt / 1000), sub: this.#contact }
    const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
    const key = { key: this.#privateKey, dsaEncoding: 'ieee-p1363' as const }
    const token = {
      text: `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`,
      expiresAt,
    }
    this.#tokens.set(origin, token)
    return token
  }
}

function privateKeyOf(secretKey: string): Buffer {
  const seed = Buffer.from(hkdfSync('sha256', secretKey, '', 'foyer push', SEED_BYTES))
  const number = (BigInt(`0x${seed.toString('hex')}`) % (ORDER - 1n)) + 1n
  return Buffer.from(number.toString(16).padStart(2 * KEY_BYTES, '0'), 'hex')
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
