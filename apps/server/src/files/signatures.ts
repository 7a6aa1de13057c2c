import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { ATTACHMENT_URL_SECONDS } from '@foyer/protocol/limits'

const HOUR_SECONDS = 60 * 60
/** An HMAC-SHA256 in base64url. */
const SIGNATURE = /^[\w-]{43}$/

/** Signs the addresses of message attachments: who has one may download until it expires. */
export class DownloadSigner {
  readonly #key: Uint8Array

  constructor(secretKey: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'foyer downloads', 32))
  }

  /**
   * The address for at least 24 hours. It expires at a full hour, so that whoever asks again within one gets the same
   * address, and a browser knows the picture.
   * @param now milliseconds since 1970
   */
  urlOf(attachmentId: string, now: number): string {
    const hours = Math.ceil(now / 1000 / HOUR_SECONDS)
    return this.sign(attachmentId, hours * HOUR_SECONDS + ATTACHMENT_URL_SECONDS)
  }

  /** @param expiresAt seconds since 1970 */
  sign(attachmentId: string, expiresAt: number): string {
    return `/attachments/${attachmentId}?sig=${this.#mac(attachmentId, `${expiresAt}`)}&exp=${expiresAt}`
  }

  /** The address at which browsers load a stranger's video or sound through the server, for at least 24 hours. */
  proxyUrlOf(url: string, now: number): string {
    const hours = Math.ceil(now / 1000 / HOUR_SECONDS)
    const exp = `${hours * HOUR_SECONDS + ATTACHMENT_URL_SECONDS}`
    const query = new URLSearchParams({ url, sig: this.#mac(proxied(url), exp), exp })
    return `/api/proxy/video?${query}`
  }

  /** @param now milliseconds since 1970 */
  isValidProxy(url: string, signature: { sig: string; exp: string }, now: number): boolean {
    return this.isValid(proxied(url), signature, now)
  }

  /** @param now milliseconds since 1970 */
  isValid(attachmentId: string, { sig, exp }: { sig: string; exp: string }, now: number): boolean {
    if (!SIGNATURE.test(sig) || !/^[1-9]\d{0,14}$/.test(exp)) return false
    // As text: base64 has several texts for the same bytes, and an address has exactly one.
    const isOurs = timingSafeEqual(Buffer.from(this.#mac(attachmentId, exp)), Buffer.from(sig))
    return isOurs && Number(exp) * 1000 > now
  }

  #mac(attachmentId: string, exp: string): string {
    return createHmac('sha256', this.#key).update(`${attachmentId}.${exp}`).digest('base64url')
  }
}

/** What no attachment's id is. */
function proxied(url: string): string {
  return `proxied ${url}`
}
