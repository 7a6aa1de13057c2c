import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueFirst, type JobTable } from '#src/kernel/jobs.ts'
import type { Bus, Event } from '#src/kernel/journal/bus.ts'
import { findEvents } from '#src/kernel/journal/journal.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

const JOB = 'publish_events'

const Positions = Type.Object({
  events: Type.Array(
    Type.Object({
      id: Type.String(),
      topic: Type.Object({ tenantId: Type.String(), channelId: Type.String() }),
    }),
  ),
})

/** Asks a running server to publish the events of a transaction of the command line, once it is committed. */
export async function enqueueEvents(transaction: Queryable, events: readonly Event[]): Promise<void> {
  const positions = events.map(({ id, topic: { tenantId, channelId } }) => ({
    id,
    topic: { tenantId, channelId },
  }))
  await enqueueFirst(transaction, JOB, { events: positions })
}

/** Returns whether a server still has to publish events of the command line. */
export async function areEventsWaiting(database: Queryable): Promise<boolean> {
  const waiting = await database.query(sql`
    select from graphile_worker.jobs where task_identifier = ${JOB} limit 1`)
  return waiting.length > 0
}

/** Publishes the changes of the command line, which has no connections or caches itself. */
export function operatorJobs({ database, bus }: { database: Database; bus: Bus }): JobTable {
  return {
    handlers: {
      [JOB]: async (payload) => {
        const { events } = Parse(Positions, payload)
        await bus.emit(await findEvents(database, events))
      },
    },
    schedule: [],
  }
}
