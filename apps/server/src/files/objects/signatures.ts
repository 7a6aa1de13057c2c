import { ATTACHMENT_URL_SECONDS } from '@foyer/protocol/limits'
import { Macs } from '#src/kernel/secrets/macs.ts'

const HOUR_SECONDS = 60 * 60

/** Signs addresses of message attachments. Anyone with an address may download until it expires. */
export class DownloadSigner {
  readonly #macs: Macs

  constructor(secretKey: string) {
    this.#macs = new Macs(secretKey, 'foyer downloads')
  }

  /**
   * Returns an address valid for at least 24 hours. It expires on a full hour, so that repeated calls return the same
   * address and browsers can cache it.
   * @param now milliseconds since 1970
   */
  urlOf(attachmentId: string, now: number): string {
    return this.sign(attachmentId, expiryAt(now))
  }

  /** @param expiresAt seconds since 1970 */
  sign(attachmentId: string, expiresAt: number): string {
    return `/attachments/${attachmentId}?sig=${this.#macs.of(signed(attachmentId, `${expiresAt}`))}&exp=${expiresAt}`
  }

  /** Returns an address that proxies a third party's video or sound, valid for at least 24 hours. */
  proxyUrlOf(url: string, now: number): string {
    const exp = `${expiryAt(now)}`
    const query = new URLSearchParams({ url, sig: this.#macs.of(signed(proxied(url), exp)), exp })
    return `/api/proxy/video?${query}`
  }

  /** @param now milliseconds since 1970 */
  isValidProxy(url: string, signature: { sig: string; exp: string }, now: number): boolean {
    return this.isValid(proxied(url), signature, now)
  }

  /** @param now milliseconds since 1970 */
  isValid(attachmentId: string, { sig, exp }: { sig: string; exp: string }, now: number): boolean {
    if (!/^[1-9]\d{0,14}$/.test(exp)) return false
    return this.#macs.isOf(signed(attachmentId, exp), sig) && Number(exp) * 1000 > now
  }
}

function signed(attachmentId: string, exp: string): string {
  return `${attachmentId}.${exp}`
}

/** @returns seconds since 1970 */
function expiryAt(now: number): number {
  return Math.ceil(now / 1000 / HOUR_SECONDS) * HOUR_SECONDS + ATTACHMENT_URL_SECONDS
}

/** Returns the text to sign for a proxied URL. It differs from every attachment's id. */
function proxied(url: string): string {
  return `proxied ${url}`
}
