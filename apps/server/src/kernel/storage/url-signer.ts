import { Macs } from '../macs.ts'
import type { DownloadLook } from './object-store.ts'

/** What a signed URL of the folder store allows, once or often, until it expires. */
export type StorageGrant =
  | { method: 'GET'; key: string; look: DownloadLook; expires: string }
  | { method: 'PUT'; key: string; contentType: string; sizeBytes: number; expires: string }

/** Signs every part of a grant with a key derived from SECRET_KEY. */
export class StorageUrlSigner {
  readonly #macs: Macs

  constructor(secretKey: string) {
    this.#macs = new Macs(secretKey, 'foyer storage urls')
  }

  /** The path and query of the URL. */
  sign(grant: StorageGrant): string {
    const query = new URLSearchParams([
      ...queryOf(grant),
      ['exp', grant.expires],
      ['sig', this.#macs.of(textOf(grant))],
    ])
    return `/storage/${grant.key}?${query}`
  }

  isValid(grant: StorageGrant, signature: string, now: number): boolean {
    return this.#macs.isOf(textOf(grant), signature) && Number(grant.expires) * 1000 > now
  }
}

function textOf(grant: StorageGrant): string {
  return JSON.stringify([grant.method, grant.key, queryOf(grant), grant.expires])
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
