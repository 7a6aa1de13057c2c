import type { StorageBucket } from '@foyer/protocol/buckets'
import type { NewEvent } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'

export function bucketCreated(bucket: StorageBucket): NewEvent {
  return event(topicOf.space(bucket.space_id), 'SPACE_BUCKET_CREATE', bucket)
}

export function bucketUpdated(bucket: StorageBucket): NewEvent {
  return event(topicOf.space(bucket.space_id), 'SPACE_BUCKET_UPDATE', bucket)
}

export function bucketDeleted(spaceId: string, bucketId: string): NewEvent {
  const gone = { space_id: spaceId, bucket_id: bucketId }
  return event(topicOf.space(spaceId), 'SPACE_BUCKET_DELETE', gone)
}

/** Returns the bucket as the target of a change, for the audit log. */
export function targetOf({ id, name }: Pick<StorageBucket, 'id' | 'name'>) {
  return { type: 'bucket', id, name } as const
}
