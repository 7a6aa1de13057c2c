import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** An HMAC-SHA256 in base64url. */
const TOKEN = /^[\w-]{43}$/

/**
 * What answers an interaction: nothing else proves that somebody may. It is made of the interaction's id with a key
 * derived from SECRET_KEY, so that the same one can be handed out again and none has to be kept.
 */
export class InteractionTokens {
  readonly #key: Uint8Array

  constructor(secretKey: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'foyer interactions', 32))
  }

  tokenOf(interactionId: string): string {
    return createHmac('sha256', this.#key).update(interactionId).digest('base64url')
  }

  isTokenOf(interactionId: string, token: string): boolean {
    if (!TOKEN.test(token)) return false
    // As text: base64 has several texts for the same bytes, and an interaction has exactly one token.
    return timingSafeEqual(Buffer.from(this.tokenOf(interactionId)), Buffer.from(token))
  }
}
