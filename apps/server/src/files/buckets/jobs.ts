import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import { discardFilesOf } from './actions/discard.ts'
import { listHoldingBuckets } from './queries.ts'

const Payload = Type.Object({ space_id: Type.String(), bucket_id: Type.String() })

/** Files deleted per run. */
const BATCH = 100
const MAX_RESUMED = 1000

/** Deletes the files of deleted buckets, which may take longer than a request's transaction should. */
export function bucketJobs({
  database,
  downloads,
}: {
  database: Database
  downloads: DownloadSigner
}): JobTable {
  return {
    handlers: {
      discard_bucket: async (payload) => {
        const { space_id, bucket_id } = Parse(Payload, payload)
        const bucket = { tenant_id: space_id, id: bucket_id }
        // The next batch is a job of its own, so that a stopping server waits for one batch only.
        await database.transaction(async (transaction) => {
          const isMore = await discardFilesOf({ transaction, downloads }, bucket, BATCH)
          if (isMore) await enqueueJob(transaction, 'discard_bucket', { space_id, bucket_id })
        })
      },
      discard_buckets: () => resumeDiscards(database),
    },
    schedule: ['23 * * * * discard_buckets'],
  }
}

/** A job that failed too often is not retried, so enqueue one for every deleted bucket that still holds files. */
async function resumeDiscards(database: Database): Promise<void> {
  const buckets = await listHoldingBuckets(database, MAX_RESUMED)
  for (const { space_id, bucket_id } of buckets) {
    await database.transaction((transaction) =>
      enqueueJob(transaction, 'discard_bucket', { space_id, bucket_id }, `discard_bucket ${bucket_id}`),
    )
  }
}
