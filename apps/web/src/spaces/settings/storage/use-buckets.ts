import type { StorageBucket } from '@foyer/protocol/buckets'
import type { Events } from '@foyer/protocol/events'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'

interface Buckets {
  /** Undefined while loading. */
  readonly buckets: readonly StorageBucket[] | undefined
  readonly error: string | null
  again(): void
}

/**
 * The buckets of a space, kept up to date.
 * @param mayAsk true if the user manages buckets; the server refuses the list to others
 */
export function useBuckets(spaceId: string, mayAsk = true): Buckets {
  const ask = useCallback(
    (client: Client, options: CallOptions) =>
      mayAsk ? client.buckets.list(spaceId, options) : Promise.resolve(undefined),
    [spaceId, mayAsk],
  )
  const { answer, again, change } = useAnswer<StorageBucket[] | undefined>(ask)

  const onChange = useCallback(
    (bucket: Events['SPACE_BUCKET_UPDATE']) => {
      if (bucket.space_id === spaceId) change((before) => before && withBucket(before, bucket))
    },
    [spaceId, change],
  )
  const onDelete = useCallback(
    ({ bucket_id }: Events['SPACE_BUCKET_DELETE']) => {
      change((before) => before?.filter(({ id }) => id !== bucket_id))
    },
    [change],
  )
  useEvent('SPACE_BUCKET_CREATE', onChange)
  useEvent('SPACE_BUCKET_UPDATE', onChange)
  useEvent('SPACE_BUCKET_DELETE', onDelete)
  // Events may have been missed while disconnected.
  useEvent('READY', again)

  return {
    buckets: answer.state === 'here' ? answer.value : undefined,
    error: answer.state === 'failed' ? answer.message : null,
    again,
  }
}

/** Replaces the bucket in place, or appends it. */
function withBucket(buckets: readonly StorageBucket[], bucket: StorageBucket): StorageBucket[] {
  return buckets.some(({ id }) => id === bucket.id)
    ? buckets.map((other) => (other.id === bucket.id ? bucket : other))
    : [...buckets, bucket]
}
