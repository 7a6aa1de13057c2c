import type { Attachment } from '@foyer/protocol/attachments'
import { kindOf } from './kinds.ts'
import type { FileUpload } from './upload-state.ts'

/** A file as messages show it: there, or still on its way from this browser. */
export interface ShownFile {
  /** Of the attachment, or of the upload as long as there is none. */
  readonly id: string
  readonly filename: string
  readonly content_type: string
  readonly size_bytes: number
  /** Alternative text. */
  readonly description: string | null
  readonly width: number | null
  readonly height: number | null
  /** Where it is downloaded; null while it is on its way, and when it was deleted. */
  readonly url: string | null
  /** Where this browser has it, when it is this browser's own. */
  readonly preview: string | null
  /** The upload, until the message is there. */
  readonly upload: FileUpload | null
}

/** @param own the upload that it came from, while this browser remembers */
export function shownAttachment(attachment: Attachment, own: FileUpload | undefined): ShownFile {
  const { id, filename, content_type, size_bytes, width, height, deleted_at, url } = attachment
  return {
    id,
    filename,
    content_type,
    size_bytes,
    // A message that an older version of this client kept has none.
    description: attachment.description ?? null,
    // What the server could not measure, this browser may have.
    width: width ?? own?.width ?? null,
    height: height ?? own?.height ?? null,
    url: deleted_at === null ? (url ?? null) : null,
    preview: own?.preview ?? null,
    upload: null,
  }
}

export function shownUpload(upload: FileUpload): ShownFile {
  const { id, filename, content_type, size_bytes, description, width, height, preview } = upload
  return { id, filename, content_type, size_bytes, description, width, height, url: null, preview, upload }
}

export function isGone({ url, upload }: ShownFile): boolean {
  return url === null && upload === null
}

/** A message's files by how they are shown, each in the order of the message. */
export interface FileGroups {
  readonly images: readonly ShownFile[]
  readonly videos: readonly ShownFile[]
  readonly sounds: readonly ShownFile[]
  readonly cards: readonly ShownFile[]
}

export function groupFiles(files: readonly ShownFile[]): FileGroups {
  const of = (kind: string) => files.filter((file) => isSeen(file) && kindOf(file.content_type) === kind)
  const [images, videos, sounds] = [of('image'), of('video'), of('audio')]
  const cards = files.filter((file) => ![...images, ...videos, ...sounds].includes(file))
  return { images, videos, sounds, cards }
}

/** What a message from before a reload has in the storage is shown by nothing until the message is there. */
function isSeen({ url, preview, upload }: ShownFile): boolean {
  return url !== null || (upload !== null && preview !== null)
}
