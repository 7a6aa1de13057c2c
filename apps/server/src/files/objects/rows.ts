import type { Attachment } from '@foyer/protocol/attachments'
import { PRESIGNED_URL_SECONDS } from '@foyer/protocol/limits'

/** Seconds in which a direct upload can begin: the validity of its presigned request, plus clock skew. */
export const UNSENT_UPLOAD_SECONDS = PRESIGNED_URL_SECONDS + 5 * 60

/**
 * `preview`: a picture for a link preview. `held`: a file of a message that waits for a moderator; its sender can
 * neither use nor cancel it. `report`: a copy for the moderators or operators who decide about a report. `export`: an
 * archive for the person who requested it. `import`: an archive that a person uploaded.
 */
export type Purpose =
  | 'message'
  | 'held'
  | 'report'
  | 'emoji'
  | 'sticker'
  | 'icon'
  | 'banner'
  | 'avatar'
  | 'preview'
  | 'export'
  | 'import'

/**
 * reserved: space is taken, the object may exist or not. stored: the object is complete. live: in use. deleted: no
 * longer in use, the object may still exist. removed: the object no longer exists.
 */
export type FileState = 'reserved' | 'stored' | 'live' | 'deleted' | 'removed'

export interface FileRow {
  tenant_id: string
  id: string
  bucket_id: string
  owner_id: string
  purpose: Purpose
  state: FileState
  /** For message files, the room they were uploaded to. */
  channel_id: string | null
  message_id: string | null
  filename: string
  /** Alternative text. */
  description: string | null
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
  /** `own` is the server's own storage for files that need no bucket. It is never listed. */
  kind: 's3' | 'included' | 'own'
  name: string
  endpoint: string
  region: string | null
  bucket_name: string
  access_key_id: string
  /** Encrypted, bound to the bucket's id. */
  secret: Buffer | null
  use_path_style: boolean
  max_bytes: number | null
  upload_limit_bytes: number | null
  used_bytes: number
  active: boolean
  /** True if browsers can upload directly. Otherwise uploads go through the server. */
  direct_upload: boolean
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** Returns the object's key, made of ids only. */
export function keyOf({ tenant_id, id }: Pick<FileRow, 'tenant_id' | 'id'>): string {
  return `${tenant_id}/${id}`
}

/** Returns the key for the sender's direct upload. The object is moved away from there before anything shows it. */
export function incomingKeyOf(file: Pick<FileRow, 'tenant_id' | 'id'>): string {
  return `incoming/${keyOf(file)}`
}

/** Returns the attachment without a signed address, which only message attachments have. */
export function attachmentOf(file: FileRow): Attachment {
  const { id, message_id, filename, description, content_type, size_bytes } = file
  const { width, height, created_at, deleted_at } = file
  return {
    id,
    message_id,
    filename,
    description,
    content_type,
    size_bytes,
    width,
    height,
    created_at,
    deleted_at,
  }
}
