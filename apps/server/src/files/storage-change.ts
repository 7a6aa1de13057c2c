import { topicOf } from '#src/kernel/bus.ts'
import type { NewEvent } from '#src/kernel/database.ts'

/** What the caches of files have to forget: some files, or with `bucket_id` all that a bucket holds. */
export interface StorageChange {
  attachment_ids?: string[]
  bucket_id?: string
}

/** Tells the server itself that files were deleted, or that a bucket is reached in another way. */
export function storageChange(tenantId: string, change: StorageChange): NewEvent {
  return { topic: topicOf.storage(tenantId), name: 'STORAGE_CHANGE', data: JSON.stringify(change) }
}
