import type { Logger } from 'pino'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueInLine, isWaiting, type JobContext, type JobTable } from '#src/kernel/jobs.ts'
import { purgeSpace } from './purge.ts'
import { listDueSpaces } from './queries.ts'
import { Retention, RetentionProgress } from './retention.ts'

const Payload = Type.Object({ space_id: Type.String() })
const RetentionPayload = Type.Object({ progress: Type.Optional(RetentionProgress) })

/** Jobs of one queue run one after another, in any process. */
const QUEUE = 'erasure'
const PURGE_SPACE = 'purge_space'
const DELETE_AGED_MESSAGES = 'delete_aged_messages'
/** Spaces enqueued per run. The next run finds further ones. */
const MAX_DUE = 100

/** Purges deleted spaces once they can no longer be brought back, and deletes messages by retention. */
export function erasureJobs({ database, log }: { database: Database; log: Logger }): JobTable {
  return {
    handlers: {
      purge_spaces: () => enqueueDue(database),
      [PURGE_SPACE]: async (payload, { abortSignal }: JobContext = {}) => {
        const { space_id } = Parse(Payload, payload)
        if (await purgeSpace(database, space_id, abortSignal)) await enqueuePurge(database, space_id)
      },
      retain: async () => {
        // A new job would replace the waiting job and its progress, and start over with the first rooms.
        if (!(await isWaiting(database, DELETE_AGED_MESSAGES))) await enqueueRetention(database)
      },
      [DELETE_AGED_MESSAGES]: async (payload, { abortSignal }: JobContext = {}) => {
        const { progress } = Parse(RetentionPayload, payload)
        const left = await new Retention({ database, log }, progress).run(abortSignal)
        if (left !== undefined) await enqueueRetention(database, left)
      },
    },
    schedule: ['*/10 * * * * purge_spaces', '*/10 * * * * retain'],
  }
}

/** Enqueues the purge of expired spaces, also of those whose purge failed too often or was interrupted. */
async function enqueueDue(database: Database): Promise<void> {
  for (const spaceId of await listDueSpaces(database, MAX_DUE)) await enqueuePurge(database, spaceId)
}

async function enqueuePurge(database: Database, spaceId: string): Promise<void> {
  const queueing = { queue: QUEUE, key: `${PURGE_SPACE} ${spaceId}` }
  await enqueueInLine(database, PURGE_SPACE, { space_id: spaceId }, queueing)
}

async function enqueueRetention(database: Database, progress?: RetentionProgress): Promise<void> {
  const queueing = { queue: QUEUE, key: DELETE_AGED_MESSAGES }
  await enqueueInLine(database, DELETE_AGED_MESSAGES, { progress }, queueing)
}
