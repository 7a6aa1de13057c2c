/**
 * Types of uploaded files a browser may show: none that run scripts, load other resources or look like a page of ours.
 * No SVG, no HTML, no XML, no PDF.
 */
const INLINE_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'video/matroska',
  'video/x-matroska',
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/aac',
  'audio/ogg',
  'audio/webm',
  'audio/wav',
  'audio/x-wav',
  'audio/flac',
  'audio/x-flac',
  'text/plain',
])

/** Returns whether a browser may show a file of this type instead of saving it, ignoring parameters. */
export function isInlineSafe(contentType: string): boolean {
  return INLINE_TYPES.has(essenceOf(contentType))
}

/**
 * Returns the Content-Type for serving an uploaded file. Browsers run scripts, styles and WebAssembly by their type and
 * ignore Content-Disposition, so any type that is not safe inline becomes plain bytes. Examined text is UTF-8; without
 * a charset, browsers assume an older encoding.
 */
export function servedTypeOf(contentType: string): string {
  if (!isInlineSafe(contentType)) return 'application/octet-stream'
  return contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType
}

/** Longest MIME type considered, in characters. Headers of other servers may have 16 KiB. */
const MAX_TYPE_LENGTH = 256

/** Returns a MIME type in lower case, without parameters. */
export function essenceOf(contentType: string): string {
  return (contentType.slice(0, MAX_TYPE_LENGTH).split(';')[0] ?? '').trim().toLowerCase()
}
