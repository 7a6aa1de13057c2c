import type { ChannelAddress } from '@foyer/sdk/channel-path'

/** The progress of a file on its way to the storage. */
export type Progress =
  | { readonly kind: 'queued' }
  | { readonly kind: 'sending'; readonly sent_bytes: number }
  | { readonly kind: 'stored'; readonly attachment_id: string }
  /** An upload that is `lost` had no connection, and is retried after a while or on reconnecting. Otherwise it was refused. */
  | { readonly kind: 'failed'; readonly error: string; readonly lost: boolean }
  /** The storage has deleted the file. The page was reloaded since the upload, so it cannot upload the file again. */
  | { readonly kind: 'swept'; readonly error: string }

/** A file from this browser, of a draft or a message. */
export interface FileUpload {
  readonly id: string
  readonly channel: ChannelAddress
  readonly filename: string
  readonly content_type: string
  readonly size_bytes: number
  /** Alternative text; null if the user has entered none. */
  readonly description: string | null
  /** In pixels; null until measured, and for files that are neither pictures nor videos. */
  readonly width: number | null
  readonly height: number | null
  /** The object URL of a file that can be previewed. */
  readonly preview: string | null
  readonly progress: Progress
}

/** The data of a stored file that is needed to send it with a message after a reload. */
export interface StoredFile extends Pick<FileUpload, 'filename' | 'content_type' | 'size_bytes'> {
  readonly attachment_id: string
  /** Omitted by older versions of this client. */
  readonly description?: string | null
}

export interface UploadsState {
  readonly uploads: Readonly<Record<string, FileUpload>>
  /** Ids of the uploads in each draft, by draft key. */
  readonly drafts: Readonly<Record<string, readonly string[]>>
}

export const noUploads: UploadsState = { uploads: {}, drafts: {} }

/** Returns the state with changes to an upload, if the upload still exists. */
export function withUpload(state: UploadsState, id: string, change: Partial<FileUpload>): UploadsState {
  const upload = state.uploads[id]
  if (upload === undefined) return state
  return { ...state, uploads: { ...state.uploads, [id]: { ...upload, ...change } } }
}

/** Returns the state with uploads added to a draft. */
export function withDrafted(
  state: UploadsState,
  draftKey: string,
  added: readonly FileUpload[],
): UploadsState {
  const ids = [...(state.drafts[draftKey] ?? []), ...added.map(({ id }) => id)]
  return { ...withUploads(state, added), drafts: { ...state.drafts, [draftKey]: ids } }
}

/** Returns the state with uploads added that are in no draft. */
export function withUploads(state: UploadsState, added: readonly FileUpload[]): UploadsState {
  const entries = added.map((upload) => [upload.id, upload])
  return { ...state, uploads: { ...state.uploads, ...Object.fromEntries(entries) } }
}

/** Returns the state without these uploads, also in drafts. */
export function withoutUploads(state: UploadsState, gone: readonly string[]): UploadsState {
  const kept = Object.entries(state.uploads).filter(([id]) => !gone.includes(id))
  const drafts = Object.entries(state.drafts).map(([key, ids]) => [
    key,
    ids.filter((id) => !gone.includes(id)),
  ])
  return { uploads: Object.fromEntries(kept), drafts: Object.fromEntries(drafts) }
}

/** Returns the files of these uploads, or null unless all are stored. */
export function storedFilesOf(
  { uploads }: Pick<UploadsState, 'uploads'>,
  ids: readonly string[],
): readonly StoredFile[] | null {
  const files = ids.flatMap((id) => storedFile(uploads[id]) ?? [])
  return files.length === ids.length ? files : null
}

/** Returns the file of an upload, or null unless it is stored. */
export function storedFile(upload: FileUpload | undefined): StoredFile | null {
  if (upload?.progress.kind !== 'stored') return null
  const { filename, content_type, size_bytes, description, progress } = upload
  return { filename, content_type, size_bytes, description, attachment_id: progress.attachment_id }
}

/** Returns the upload of a file stored before a reload. It has no preview, as it cannot be downloaded before it is sent. */
export function keptUpload(
  id: string,
  channel: ChannelAddress,
  { attachment_id, description = null, ...file }: StoredFile,
): FileUpload {
  const progress = { kind: 'stored', attachment_id } as const
  return { id, channel, ...file, description, width: null, height: null, preview: null, progress }
}

export function isUploadUnderWay({ progress }: FileUpload): boolean {
  return progress.kind === 'queued' || progress.kind === 'sending' || isLost(progress)
}

export function isLost(progress: Progress): boolean {
  return progress.kind === 'failed' && progress.lost
}

/** Returns the upload that became an attachment. */
export function uploadOf({ uploads }: UploadsState, attachmentId: string): FileUpload | undefined {
  return Object.values(uploads).find(
    ({ progress }) => progress.kind === 'stored' && progress.attachment_id === attachmentId,
  )
}

/** Returns the uploaded fraction of the files, from 0 to 1. For empty files it is 0 or 1. */
export function fractionOf(uploads: readonly FileUpload[]): number {
  const total = uploads.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
  const sent = uploads.reduce((sum, upload) => sum + sentBytes(upload), 0)
  if (total > 0) return Math.min(1, sent / total)
  return uploads.every(({ progress }) => progress.kind === 'stored') ? 1 : 0
}

function sentBytes({ progress, size_bytes }: FileUpload): number {
  if (progress.kind === 'stored') return size_bytes
  return progress.kind === 'sending' ? Math.min(progress.sent_bytes, size_bytes) : 0
}
