import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import { discardTenant } from '#src/files/tenants.ts'
import type { Database } from '#src/kernel/database.ts'
import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import { sweepChannel } from '#src/rooms/sweeps.ts'

const Payload = Type.Object({ conversation_id: Type.String() })

/** Deletes what a group leaves that ended, which may be more than a request's transaction has time for. */
export function conversationJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: { sweep_conversation: (payload) => sweepConversation(database, Parse(Payload, payload)) },
    schedule: [],
  }
}

/** One batch; the next is a job of its own. With the last go its icon, and uploads that no message has. */
async function sweepConversation(database: Database, payload: Static<typeof Payload>): Promise<void> {
  const id = payload.conversation_id
  await database.transaction(async (transaction) => {
    const isMore = await sweepChannel(transaction, { tenantId: id, channelId: id })
    if (isMore) await enqueueJob(transaction, 'sweep_conversation', payload)
    else await discardTenant(transaction, id)
  })
}
