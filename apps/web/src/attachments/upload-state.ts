import type { ChannelAddress } from '@foyer/sdk/channel-path'

/** How far a file is on its way into the storage. */
export type Progress =
  | { readonly kind: 'queued' }
  | { readonly kind: 'sending'; readonly sent_bytes: number }
  | { readonly kind: 'stored'; readonly attachment_id: string }
  /** `lost` is tried again by itself, after a while or once the server is reached; everything else was refused. */
  | { readonly kind: 'failed'; readonly error: string; readonly lost: boolean }
  /** Of a message from before a reload: the storage has it no longer, and this page never had it. */
  | { readonly kind: 'swept'; readonly error: string }

/** A file of this browser that a message has or will have. */
export interface FileUpload {
  readonly id: string
  readonly channel: ChannelAddress
  readonly filename: string
  readonly content_type: string
  readonly size_bytes: number
  /** Alternative text; null as long as nobody gave one. */
  readonly description: string | null
  /** Pixels; null until it is measured, and for what cannot be. */
  readonly width: number | null
  readonly height: number | null
  /** Where this browser finds it, when it is something to be shown. */
  readonly preview: string | null
  readonly progress: Progress
}

/** What is kept of a file that the storage has: enough to send it with a message after a reload. */
export interface StoredFile extends Pick<FileUpload, 'filename' | 'content_type' | 'size_bytes'> {
  readonly attachment_id: string
  /** Omitted by versions of this client that had none. */
  readonly description?: string | null
}

export interface UploadsState {
  readonly uploads: Readonly<Record<string, FileUpload>>
  /** By channel id, the uploads of the message that is being written. */
  readonly drafts: Readonly<Record<string, readonly string[]>>
}

export const noUploads: UploadsState = { uploads: {}, drafts: {} }

/** The state with changes to an upload, unless that is gone. */
export function withUpload(state: UploadsState, id: string, change: Partial<FileUpload>): UploadsState {
  const upload = state.uploads[id]
  if (upload === undefined) return state
  return { ...state, uploads: { ...state.uploads, [id]: { ...upload, ...change } } }
}

/** The state with further uploads in a draft. */
export function withDrafted(
  state: UploadsState,
  draftKey: string,
  added: readonly FileUpload[],
): UploadsState {
  const ids = [...(state.drafts[draftKey] ?? []), ...added.map(({ id }) => id)]
  return { ...withUploads(state, added), drafts: { ...state.drafts, [draftKey]: ids } }
}

/** The state with further uploads, in no draft. */
export function withUploads(state: UploadsState, added: readonly FileUpload[]): UploadsState {
  const entries = added.map((upload) => [upload.id, upload])
  return { ...state, uploads: { ...state.uploads, ...Object.fromEntries(entries) } }
}

/** The state without these uploads, in no draft either. */
export function withoutUploads(state: UploadsState, gone: readonly string[]): UploadsState {
  const kept = Object.entries(state.uploads).filter(([id]) => !gone.includes(id))
  const drafts = Object.entries(state.drafts).map(([key, ids]) => [
    key,
    ids.filter((id) => !gone.includes(id)),
  ])
  return { uploads: Object.fromEntries(kept), drafts: Object.fromEntries(drafts) }
}

/** The files of these uploads; null unless the storage has them all. */
export function storedFilesOf(
  { uploads }: Pick<UploadsState, 'uploads'>,
  ids: readonly string[],
): readonly StoredFile[] | null {
  const files = ids.flatMap((id) => storedFile(uploads[id]) ?? [])
  return files.length === ids.length ? files : null
}

/** The upload's file; null unless the storage has it. */
export function storedFile(upload: FileUpload | undefined): StoredFile | null {
  if (upload?.progress.kind !== 'stored') return null
  const { filename, content_type, size_bytes, description, progress } = upload
  return { filename, content_type, size_bytes, description, attachment_id: progress.attachment_id }
}

/** The upload of a file that was kept over a reload. Until a message has it, the storage shows it to nobody. */
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

/** The upload that became an attachment. */
export function uploadOf({ uploads }: UploadsState, attachmentId: string): FileUpload | undefined {
  return Object.values(uploads).find(
    ({ progress }) => progress.kind === 'stored' && progress.attachment_id === attachmentId,
  )
}

/** How much of the files has arrived, of 1. Without a byte to send it is all or nothing. */
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
