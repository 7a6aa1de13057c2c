import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { DownloadLook } from './object-store.ts'

/** What a signed URL of the folder store allows, once or often, until it expires. */
export type StorageGrant =
  | { method: 'GET'; key: string; look: DownloadLook; expires: string }
  | { method: 'PUT'; key: string; contentType: string; sizeBytes: number; expires: string }

/** Signs every part of a grant with a key derived from SECRET_KEY. */
export class StorageUrlSigner {
  readonly #key: Uint8Array

  constructor(secretKey: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secretKey, '', 'foyer storage urls', 32))
  }

  /** The path and query of the URL. */
  sign(grant: StorageGrant): string {
    const query = new URLSearchParams([...queryOf(grant), ['exp', grant.expires], ['sig', this.#mac(grant)]])
    return `/storage/${grant.key}?${query}`
  }

  isValid(grant: StorageGrant, signature: string, now: number): boolean {
    const [given, expected] = [Buffer.from(signature), Buffer.from(this.#mac(grant))]
    return (
      given.length === expected.length &&
      timingSafeEqual(given, expected) &&
      Number(grant.expires) * 1000 > now
    )
  }

  #mac(grant: StorageGrant): string {
    const signed = JSON.stringify([grant.method, grant.key, queryOf(grant), grant.expires])
    return createHmac('sha256', this.#key).update(signed).digest('base64url')
  }
}

function queryOf(grant: StorageGrant): [string, string][] {
  if (grant.method === 'PUT')
    return [
      ['type', grant.contentType],
      ['size', `${grant.sizeBytes}`],
    ]
  const { contentType, filename, inline } = grant.look
  return [
    ['type', contentType],
    ['name', filename],
    ['inline', `${inline}`],
  ]
}
