import type { Event } from '#src/kernel/bus.ts'
import { eventOf, type JournalRow } from '#src/kernel/journal.ts'
import { type Queryable, sql } from '#src/kernel/sql.ts'
import type { Connection } from './connection.ts'
import { dispatchFrame } from './frames.ts'
import type { Listeners } from './listeners.ts'
import { seqOf } from './message-seq.ts'

/** More than this nobody misses who was told a moment ago; it bounds what one look costs. */
const MAX_MISSED = 2000

/** Messages of a channel that somebody did not hear: those behind `after`, up to and including `upTo`. */
export interface Gap {
  channelId: string
  after: number
  upTo: number
}

export interface MissedMessages {
  gaps: readonly Gap[]
  /** The journal id from which on to look. */
  since: string
}

/**
 * The messages, as the journal has them, in the order of each channel.
 */
export async function findMissedMessages(
  database: Queryable,
  tenantId: string,
  { gaps, since }: MissedMessages,
): Promise<Event[]> {
  const rows = await database.query<JournalRow>(sql`
    select kind, events.tenant_id, events.channel_id, id, audience, name, data
    from unnest(${gaps.map(({ channelId }) => channelId)}::uuid[]) as gap (channel_id)
    join events on events.tenant_id = ${tenantId} and events.channel_id = gap.channel_id
    where id > ${since} and name = 'MESSAGE_CREATE'
    order by id desc limit ${MAX_MISSED}`)
  const gapOf = new Map(gaps.map((gap) => [gap.channelId, gap]))
  const missed = rows.map(eventOf).filter((event) => isIn(gapOf.get(event.topic.channelId), numberOf(event)))
  return missed.toSorted((one, other) => numberOf(one) - numberOf(other))
}

/** Tells those who came to hear the channels what came by while they were on their way. */
export async function tellMissedMessages(
  { database, listeners }: { database: Queryable; listeners: Listeners },
  connections: Iterable<Connection>,
  tenantId: string,
  { gaps, since }: MissedMessages,
): Promise<void> {
  if (gaps.length === 0) return
  const events = await findMissedMessages(database, tenantId, { gaps, since })
  for (const connection of connections) {
    const heard = events.filter((event) => listeners.hears(connection, event))
    for (const event of heard) connection.hear(dispatchFrame(event), false)
  }
}

function isIn(gap: Gap | undefined, seq: number): boolean {
  return gap !== undefined && seq > gap.after && seq <= gap.upTo
}

function numberOf(event: Event): number {
  return seqOf(event) ?? 0
}
