import { firstIdAt } from '../ids.ts'
import type { Event } from '../journal/bus.ts'
import { findEvents } from '../journal/journal.ts'
import { type Queryable, sql } from '../sql/sql.ts'
import type { RecentIds } from './recent-ids.ts'

/** Maximum ids per read, usually enough for all: events committed between two reads would be delivered out of order. */
const IDS_PER_READ = 50_000
const EVENTS_PER_READ = 200

interface JournalId {
  id: string
  tenant_id: string
  channel_id: string
}

/**
 * Yields journaled events from `since` on that this process has not received, oldest first, in parts. It reads ids first,
 * because most events were received, and their data need not be read again.
 * @param since milliseconds since 1970
 */
export async function* readMissing(
  database: Queryable,
  since: number,
  received: RecentIds,
): AsyncGenerator<Event[]> {
  let after = firstIdAt(since)
  for (;;) {
    const ids = await database.query<JournalId>(sql`
      select id, tenant_id, channel_id from events where id > ${after} order by id limit ${IDS_PER_READ}`)
    const missing = ids.filter(({ id }) => !received.has(id))
    for (let from = 0; from < missing.length; from += EVENTS_PER_READ)
      yield await findEvents(database, missing.slice(from, from + EVENTS_PER_READ).map(addressed))
    const last = ids.at(-1)
    if (last === undefined || ids.length < IDS_PER_READ) return
    after = last.id
  }
}

function addressed({ id, tenant_id, channel_id }: JournalId) {
  return { id, topic: { tenantId: tenant_id, channelId: channel_id } }
}
