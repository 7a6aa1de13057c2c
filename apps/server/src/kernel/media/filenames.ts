import { limits } from '@foyer/protocol/limits'

/** Of the pictures that are made anew: the first is the one that a name gets. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['png', 'apng'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
}
const IMAGE_EXTENSION = /\.(?:a?png|jpe|jpe?g|jfif|webp|gif|avifs?)$/i

/**
 * The name for a file that turned out to be of this type. A picture's ends as pictures of its type do: photo.avif that
 * became WebP is photo.webp, and page.html that is a PNG is page.html.png. Other files keep their names.
 */
export function filenameFor(filename: string, contentType: string): string {
  const extensions = EXTENSIONS[contentType]
  const [wanted] = extensions ?? []
  if (extensions === undefined || wanted === undefined) return filename
  if (extensions.some((extension) => filename.toLowerCase().endsWith(`.${extension}`))) return filename
  const stem = [...filename.replace(IMAGE_EXTENSION, '')]
  return `${stem.slice(0, limits.filenameMax - wanted.length - 1).join('')}.${wanted}`
}
