import { joined } from '#src/language/formats.ts'
import { counted } from '#src/language/texts.ts'

/** The kind of a file. Images, videos and audio have a preview or player; others are shown as a card. */
export type FileKind = 'image' | 'video' | 'audio' | 'text' | 'archive' | 'document' | 'file'

/** Image types that every current browser renders. Others, such as SVG, can only be downloaded. */
const SHOWN_IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']

const ARCHIVES = /^application\/(zip|gzip|zstd|x-(tar|7z-compressed|rar-compressed|bzip2|xz)|vnd\.rar)$/
const DOCUMENTS = /^application\/(pdf|rtf|msword|epub\+zip|vnd\.(oasis|openxmlformats|ms-)[\w.-]*)$/
const TEXTS = /^(text\/.+|application\/(json|xml|javascript|yaml|toml|sql|x-sh))$/

/** Returns the kind of a file by its content type, ignoring parameters. */
export function kindOf(contentType: string): FileKind {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (SHOWN_IMAGES.includes(type)) return 'image'
  if (type.startsWith('video/')) return 'video'
  if (type.startsWith('audio/')) return 'audio'
  if (TEXTS.test(type)) return 'text'
  if (ARCHIVES.test(type)) return 'archive'
  return DOCUMENTS.test(type) ? 'document' : 'file'
}

/** Returns true for types that may be animated. The server converts all others to still pictures. */
export function mayMove(contentType: string): boolean {
  return contentType === 'image/gif' || contentType === 'image/webp'
}

/** Summarizes files by kind, like "3 pictures, 1 video and 2 files". */
export function summaryOf(contentTypes: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const type of contentTypes) {
    const kind = kindOf(type)
    const group = ['image', 'video', 'audio'].includes(kind) ? kind : 'file'
    counts.set(group, (counts.get(group) ?? 0) + 1)
  }
  return joined([...counts].map(([kind, count]) => countedKind(kind, count)))
}

function countedKind(kind: string, count: number): string {
  switch (kind) {
    case 'image':
      return counted(count, '{count} picture', '{count} pictures')
    case 'video':
      return counted(count, '{count} video', '{count} videos')
    case 'audio':
      return counted(count, '{count} audio file', '{count} audio files')
    default:
      return counted(count, '{count} file', '{count} files')
  }
}
