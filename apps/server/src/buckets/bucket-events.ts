import type { StorageBucket } from '@foyer/protocol/buckets'
import { Permission } from '@foyer/protocol/permissions'
import { topicOf } from '#src/kernel/bus.ts'
import type { NewEvent } from '#src/kernel/database.ts'
import { eventFor } from '#src/kernel/events.ts'

const { ManageSpaceBuckets } = Permission

export function bucketCreated(bucket: StorageBucket): NewEvent {
  return eventFor(ManageSpaceBuckets, topicOf.space(bucket.space_id), 'SPACE_BUCKET_CREATE', bucket)
}

export function bucketUpdated(bucket: StorageBucket): NewEvent {
  return eventFor(ManageSpaceBuckets, topicOf.space(bucket.space_id), 'SPACE_BUCKET_UPDATE', bucket)
}

export function bucketDeleted(spaceId: string, bucketId: string): NewEvent {
  const gone = { space_id: spaceId, bucket_id: bucketId }
  return eventFor(ManageSpaceBuckets, topicOf.space(spaceId), 'SPACE_BUCKET_DELETE', gone)
}
