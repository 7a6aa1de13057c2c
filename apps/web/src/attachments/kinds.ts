/** How a file is shown: pictures, films and sounds as such, everything else as a card with its name. */
export type FileKind = 'image' | 'video' | 'audio' | 'text' | 'archive' | 'document' | 'file'

/** What every browser of today draws. Other pictures, as SVG, are files to be downloaded. */
const SHOWN_IMAGES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif']

const ARCHIVES = /^application\/(zip|gzip|zstd|x-(tar|7z-compressed|rar-compressed|bzip2|xz)|vnd\.rar)$/
const DOCUMENTS = /^application\/(pdf|rtf|msword|epub\+zip|vnd\.(oasis|openxmlformats|ms-)[\w.-]*)$/
const TEXTS = /^(text\/.+|application\/(json|xml|javascript|yaml|toml|sql|x-sh))$/

/** The kind of a file by its content type, whatever parameters that has. */
export function kindOf(contentType: string): FileKind {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? ''
  if (SHOWN_IMAGES.includes(type)) return 'image'
  if (type.startsWith('video/')) return 'video'
  if (type.startsWith('audio/')) return 'audio'
  if (TEXTS.test(type)) return 'text'
  if (ARCHIVES.test(type)) return 'archive'
  return DOCUMENTS.test(type) ? 'document' : 'file'
}

/** Whether it may move: the server makes still pictures of all other types. */
export function mayMove(contentType: string): boolean {
  return contentType === 'image/gif' || contentType === 'image/webp'
}

const WORDS: Record<FileKind, readonly [one: string, several: string]> = {
  image: ['picture', 'pictures'],
  video: ['video', 'videos'],
  audio: ['sound', 'sounds'],
  text: ['file', 'files'],
  archive: ['file', 'files'],
  document: ['file', 'files'],
  file: ['file', 'files'],
}

/** Says what there is: "3 pictures, 1 video and 2 files". */
export function summaryOf(contentTypes: readonly string[]): string {
  const words = contentTypes.map((type) => WORDS[kindOf(type)])
  const kinds = [...new Map(words.map((word) => [word[0], word])).values()]
  const parts = kinds.map(([one, several]) => {
    const count = words.filter(([other]) => other === one).length
    return `${count} ${count === 1 ? one : several}`
  })
  return list.format(parts)
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })
