import type { Attachment } from '@foyer/protocol/attachments'
import { PRESIGNED_URL_SECONDS } from '@foyer/protocol/limits'

/** For an upload past the server: the presigned request, and how wrong a clock may be. From then on nobody can begin to write. */
export const UNSENT_UPLOAD_SECONDS = PRESIGNED_URL_SECONDS + 5 * 60

/** A `preview` is a picture of what a link in a message leads to. */
export type Purpose = 'message' | 'emoji' | 'sticker' | 'icon' | 'banner' | 'avatar' | 'preview'

/**
 * reserved: room is kept, the object may be there or not; stored: the object is whole; live: something shows it;
 * deleted: nothing does, the object may still be there; removed: the object is gone.
 */
export type FileState = 'reserved' | 'stored' | 'live' | 'deleted' | 'removed'

export interface FileRow {
  tenant_id: string
  id: string
  bucket_id: string
  owner_id: string
  purpose: Purpose
  state: FileState
  /** Of message files: the room they were uploaded to. */
  channel_id: string | null
  message_id: string | null
  filename: string
  content_type: string
  size_bytes: number
  width: number | null
  height: number | null
  animated: boolean
  created_at: string
  deleted_at: string | null
}

export interface BucketRow {
  tenant_id: string
  id: string
  /** `own`, which nobody is shown, holds in the server's own storage what needs no bucket. */
  kind: 's3' | 'included' | 'own'
  name: string
  endpoint: string
  region: string | null
  bucket_name: string
  access_key_id: string
  /** Sealed, with the bucket's id as its context. */
  secret: Buffer | null
  use_path_style: boolean
  max_bytes: number | null
  upload_limit_bytes: number | null
  used_bytes: number
  active: boolean
  /** Browsers can upload to it themselves; otherwise uploads go through the server. */
  direct_upload: boolean
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** Where the object is. Made of ids alone. */
export function keyOf({ tenant_id, id }: Pick<FileRow, 'tenant_id' | 'id'>): string {
  return `${tenant_id}/${id}`
}

/** Where its sender may write it past the server: it is moved away from there before anything shows it. */
export function incomingKeyOf(file: Pick<FileRow, 'tenant_id' | 'id'>): string {
  return `incoming/${keyOf(file)}`
}

/** Without the signed address, which only message attachments have. */
export function attachmentOf(file: FileRow): Attachment {
  const { id, message_id, filename, content_type, size_bytes, width, height, created_at, deleted_at } = file
  return { id, message_id, filename, content_type, size_bytes, width, height, created_at, deleted_at }
}
