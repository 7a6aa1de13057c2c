import { createHash } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'
import type { MadePage } from './made-page.ts'

const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** A page as it is sent. */
export interface StoredPage {
  readonly type: string
  readonly etag: string
  readonly isIndexed: boolean
  /** The Link header. */
  readonly links: string | undefined
  /** Compressed by Brotli, in a buffer of its own, not in a part of a larger one. */
  readonly compressed: Uint8Array<ArrayBuffer>
}

/** Compresses a page synchronously. */
export function stored({ type, text, links, isIndexed = true }: MadePage): StoredPage {
  const body = Buffer.from(text)
  // Caches keep the headers of an answer with its body, so a different header needs a different ETag.
  const header = isIndexed ? '' : 'noindex\n'
  const etag = `"${createHash('sha256').update(header).update(body).digest('base64url').slice(0, 22)}"`
  // A copy of exactly the needed size: the library returns the beginning of a 16 kB buffer.
  const compressed = new Uint8Array(brotliCompressSync(body, QUALITY))
  return { type, etag, isIndexed, links, compressed }
}
