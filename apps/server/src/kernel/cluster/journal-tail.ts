import type { Event } from '../bus.ts'
import { firstIdAt } from '../ids.ts'
import { findEvents } from '../journal.ts'
import { type Queryable, sql } from '../sql.ts'
import type { RecentIds } from './recent-ids.ts'

/** All of one moment, as a rule: what commits between two looks would be heard behind what followed on it. */
const IDS_PER_READ = 50_000
const EVENTS_PER_READ = 200

interface Place {
  id: string
  tenant_id: string
  channel_id: string
}

/**
 * What was journaled since then and not heard here yet, oldest first, in parts. Which ids there are is asked first: most
 * of them were heard, and what they tell need not be read again.
 * @param since milliseconds since 1970
 */
export async function* readUnheard(
  database: Queryable,
  since: number,
  heard: RecentIds,
): AsyncGenerator<Event[]> {
  let after = firstIdAt(since)
  for (;;) {
    const places = await database.query<Place>(sql`
      select id, tenant_id, channel_id from events where id > ${after} order by id limit ${IDS_PER_READ}`)
    const unheard = places.filter(({ id }) => !heard.has(id))
    for (let from = 0; from < unheard.length; from += EVENTS_PER_READ)
      yield await findEvents(database, unheard.slice(from, from + EVENTS_PER_READ).map(addressed))
    const last = places.at(-1)
    if (last === undefined || places.length < IDS_PER_READ) return
    after = last.id
  }
}

function addressed({ id, tenant_id, channel_id }: Place) {
  return { id, topic: { tenantId: tenant_id, channelId: channel_id } }
}
