import type { NewEvent } from '#src/kernel/database/database.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'

/** Entries that file caches must drop: single files, or with `bucket_id` everything in a bucket. */
export interface StorageChange {
  attachment_ids?: string[]
  bucket_id?: string
}

/** Makes the internal event for changed or deleted files, or for a bucket that was changed, closed or reopened. */
export function storageChange(tenantId: string, change: StorageChange): NewEvent {
  return { topic: topicOf.storage(tenantId), name: 'STORAGE_CHANGE', data: JSON.stringify(change) }
}
