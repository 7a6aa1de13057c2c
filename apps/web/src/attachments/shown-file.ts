import type { Attachment } from '@foyer/protocol/attachments'
import { kindOf } from './transfer/kinds.ts'
import type { FileUpload } from './transfer/upload-state.ts'

/** A file of a message, sent or still uploading from this browser. */
export interface ShownFile {
  /** The id of the attachment, or of the upload while there is none. */
  readonly id: string
  readonly filename: string
  readonly content_type: string
  readonly size_bytes: number
  /** Alternative text. */
  readonly description: string | null
  readonly width: number | null
  readonly height: number | null
  /** The download URL; null while the file is uploading and after it was deleted. */
  readonly url: string | null
  /** The object URL of a file from this browser, otherwise null. */
  readonly preview: string | null
  /** The upload, until the message is sent. */
  readonly upload: FileUpload | null
}

/** @param own the upload that the attachment came from, if it is still in memory */
export function shownAttachment(attachment: Attachment, own: FileUpload | undefined): ShownFile {
  const { id, filename, content_type, size_bytes, width, height, deleted_at, url } = attachment
  return {
    id,
    filename,
    content_type,
    size_bytes,
    // Messages stored by older versions of this client have no description.
    description: attachment.description ?? null,
    // This browser may have measured a file that the server could not.
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

/** The files of a message, grouped by how they are shown. Each group is in the order of the message. */
export interface FileGroups {
  readonly images: readonly ShownFile[]
  readonly videos: readonly ShownFile[]
  readonly sounds: readonly ShownFile[]
  readonly cards: readonly ShownFile[]
}

export function groupFiles(files: readonly ShownFile[]): FileGroups {
  const of = (kind: string) => files.filter((file) => hasSource(file) && kindOf(file.content_type) === kind)
  const [images, videos, sounds] = [of('image'), of('video'), of('audio')]
  const cards = files.filter((file) => ![...images, ...videos, ...sounds].includes(file))
  return { images, videos, sounds, cards }
}

/** Returns false for deleted files, and for stored files of a queued message from before a reload: no URL works yet. */
function hasSource({ url, preview, upload }: ShownFile): boolean {
  return url !== null || (upload !== null && preview !== null)
}
