/**
 * What a browser may show of a stranger's file: nothing that runs scripts, loads other things or poses as a page of ours.
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

/** Whether a browser may show a file of this type, parameters aside, instead of saving it. */
export function isInlineSafe(contentType: string): boolean {
  return INLINE_TYPES.has(essenceOf(contentType))
}

/**
 * The Content-Type that a stranger's file is sent with. Browsers run scripts, styles and WebAssembly by their type, wherever
 * Content-Disposition says to save them: anything that is not safe inline is bytes. Text that was examined is UTF-8; without
 * a charset, browsers take it for something older.
 */
export function servedTypeOf(contentType: string): string {
  if (!isInlineSafe(contentType)) return 'application/octet-stream'
  return contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType
}

/** Longest MIME type that has a meaning, in characters. Headers of strangers may have 16 KiB. */
const MAX_TYPE_LENGTH = 256

/** A MIME type in small letters, without parameters. */
export function essenceOf(contentType: string): string {
  return (contentType.slice(0, MAX_TYPE_LENGTH).split(';')[0] ?? '').trim().toLowerCase()
}
