import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * Computes HMAC-SHA256 in base64url with keys derived from SECRET_KEY. Each purpose has a separate key, so that a MAC
 * is valid for one purpose only.
 */
export class Macs {
  readonly #key: Uint8Array

  /** @param use a name such as `foyer downloads`. Changing it invalidates everything signed so far */
  constructor(secretKey: string, use: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secretKey, '', use, 32))
  }

  of(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url')
  }

  isOf(text: string, mac: string): boolean {
    // Compared as text: base64 has several spellings of the same bytes, and only one is the MAC.
    const [expected, given] = [Buffer.from(this.of(text)), Buffer.from(mac)]
    return given.length === expected.length && timingSafeEqual(expected, given)
  }
}
