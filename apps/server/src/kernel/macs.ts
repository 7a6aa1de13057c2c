import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** HMAC-SHA256 in base64url, with a key derived from SECRET_KEY: one for each use, so that none is worth anything elsewhere. */
export class Macs {
  readonly #key: Uint8Array

  /** @param use like `foyer downloads`; another one makes all that was signed worthless */
  constructor(secretKey: string, use: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secretKey, '', use, 32))
  }

  of(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url')
  }

  isOf(text: string, mac: string): boolean {
    // As text: base64 has several texts for the same bytes, and exactly one is the mac.
    const [expected, given] = [Buffer.from(this.of(text)), Buffer.from(mac)]
    return given.length === expected.length && timingSafeEqual(expected, given)
  }
}
