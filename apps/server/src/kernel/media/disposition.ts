import type { DownloadLook } from '../storage/object-store.ts'

const UTF8_ENCODED = /['()*!]/g
const NOT_PLAIN_ASCII = /[^\x20-\x7e]|["\\%/]/gu

/**
 * Returns a Content-Disposition by RFC 6266: the full name in UTF-8 (RFC 8187), preceded by an ASCII name for older
 * clients. No name can add line breaks or other parameters.
 */
export function dispositionOf({ filename, inline }: Pick<DownloadLook, 'filename' | 'inline'>): string {
  const kind = inline ? 'inline' : 'attachment'
  return `${kind}; filename="${plainNameOf(filename)}"; filename*=UTF-8''${encodeName(filename)}`
}

/** Returns an ASCII name, without `%`, which some clients decode. */
function plainNameOf(filename: string): string {
  return filename.replace(NOT_PLAIN_ASCII, '_')
}

function encodeName(filename: string): string {
  return encodeURIComponent(filename.toWellFormed()).replace(
    UTF8_ENCODED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
