import { Macs } from '../secrets/macs.ts'
import type { DownloadLook } from './object-store.ts'

/** The targets of signed URLs: the folder store, or uploads that the server passes on to a bucket. */
export type SignedRoot = '/storage' | '/attachments/incoming'

/** The permission of a signed URL, usable any number of times until it expires. */
export type StorageGrant =
  | { method: 'GET'; key: string; look: DownloadLook; expires: string }
  | { method: 'PUT'; key: string; contentType: string; sizeBytes: number; expires: string }

/** Signs every part of a grant with a key derived from SECRET_KEY. */
export class StorageUrlSigner {
  readonly #macs: Macs
  readonly #root: SignedRoot

  constructor(secretKey: string, root: SignedRoot = '/storage') {
    this.#root = root
    // Keys differ by root, because the roots write the same object keys to different stores.
    this.#macs = new Macs(secretKey, root === '/storage' ? 'foyer storage urls' : `foyer urls of ${root}`)
  }

  /** Returns the path and query of the URL. */
  sign(grant: StorageGrant): string {
    const query = new URLSearchParams([
      ...queryOf(grant),
      ['exp', grant.expires],
      ['sig', this.#macs.of(textOf(grant))],
    ])
    return `${this.#root}/${grant.key}?${query}`
  }

  isValid(grant: StorageGrant, signature: string, now: number): boolean {
    return this.#macs.isOf(textOf(grant), signature) && Number(grant.expires) * 1000 > now
  }
}

/** Returns the time this many seconds from now, in the form signed URLs use. */
export function expiryIn(seconds: number): string {
  return `${Math.floor(Date.now() / 1000) + seconds}`
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
