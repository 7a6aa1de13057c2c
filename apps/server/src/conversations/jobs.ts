import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import { discardTenant } from '#src/files/objects/tenants.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import { sweepChannel } from '#src/rooms/sweeps.ts'
import { endAbandoned } from './actions/members.ts'

const Ended = Type.Object({ conversation_id: Type.String() })
const EndedAccount = Type.Object({ user_id: Type.String() })

/** Direct conversations ended per run, with four short statements each. */
const ENDED_AT_ONCE = 100

/** Deletes the content of ended conversations, which may take longer than a request's transaction should. */
export function conversationJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: {
      sweep_conversation: (payload) => sweepConversation(database, Parse(Ended, payload)),
      end_direct_conversations: (payload) => endDirects(database, Parse(EndedAccount, payload)),
    },
    schedule: [],
  }
}

async function endDirects(database: Database, payload: Static<typeof EndedAccount>): Promise<void> {
  await database.transaction(async (transaction) => {
    const isMore = await endAbandoned(transaction, payload.user_id, ENDED_AT_ONCE)
    if (isMore) await enqueueJob(transaction, 'end_direct_conversations', payload)
  })
}

/** Deletes one batch; the next batch is a separate job. The last batch also deletes the icon and unused uploads. */
async function sweepConversation(database: Database, payload: Static<typeof Ended>): Promise<void> {
  const id = payload.conversation_id
  await database.transaction(async (transaction) => {
    const isMore = await sweepChannel(transaction, { tenantId: id, channelId: id })
    if (isMore) await enqueueJob(transaction, 'sweep_conversation', payload)
    else await discardTenant(transaction, id)
  })
}
