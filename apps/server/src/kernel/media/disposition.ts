import type { DownloadLook } from '../storage/object-store.ts'

const UTF8_ENCODED = /['()*!]/g
const NOT_PLAIN_ASCII = /[^\x20-\x7e]|["\\%/]/gu

/**
 * Content-Disposition by RFC 6266: the whole name in UTF-8 (RFC 8187), before it one in ASCII for clients that read no
 * other. Whatever the name holds, the header has neither line breaks nor other parameters.
 */
export function dispositionOf({ filename, inline }: Pick<DownloadLook, 'filename' | 'inline'>): string {
  const kind = inline ? 'inline' : 'attachment'
  return `${kind}; filename="${plainNameOf(filename)}"; filename*=UTF-8''${encodeName(filename)}`
}

/** Without `%`, which some clients decode. */
function plainNameOf(filename: string): string {
  return filename.replace(NOT_PLAIN_ASCII, '_')
}

function encodeName(filename: string): string {
  return encodeURIComponent(filename.toWellFormed()).replace(
    UTF8_ENCODED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
