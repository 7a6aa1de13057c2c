import type { Event } from '#src/kernel/bus.ts'
import { eventOf, type JournalRow } from '#src/kernel/journal.ts'
import { type Queryable, sql } from '#src/kernel/sql.ts'
import type { Connection } from './connection.ts'
import { dispatchFrame } from './frames.ts'
import type { Listeners } from './listeners.ts'
import { numberedEvents, seqOf } from './message-seq.ts'

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

/** The messages, as the journal has them, in the order of each channel. */
export async function findMissedMessages(
  database: Queryable,
  tenantId: string,
  missed: MissedMessages,
): Promise<Event[]> {
  const messages = await findMissed(database, tenantId, missed, ['MESSAGE_CREATE'])
  return inOrder(messages)
}

/**
 * Tells those who came to hear the channels what came by while they were on their way, and what became of it. What did not
 * come by yet may be among that: then it comes twice.
 */
export async function tellMissedMessages(
  { database, listeners }: { database: Queryable; listeners: Listeners },
  connections: Iterable<Connection>,
  tenantId: string,
  missed: MissedMessages,
): Promise<void> {
  if (missed.gaps.length === 0) return
  const events = await findMissed(database, tenantId, missed, numberedEvents)
  const [messages, changes] = [events.filter(isCreation), events.filter((event) => !isCreation(event))]
  const told = [...inOrder(messages), ...changes.toReversed()]
  for (const connection of connections) {
    const heard = told.filter((event) => listeners.hears(connection, event))
    for (const event of heard) connection.hear(dispatchFrame(event), false)
  }
}

/** @returns the newest of them first */
async function findMissed(
  database: Queryable,
  tenantId: string,
  { gaps, since }: MissedMessages,
  names: readonly string[],
): Promise<Event[]> {
  const rows = await database.query<JournalRow>(sql`
    select kind, events.tenant_id, events.channel_id, id, audience, name, data
    from unnest(${gaps.map(({ channelId }) => channelId)}::uuid[]) as gap (channel_id)
    join events on events.tenant_id = ${tenantId} and events.channel_id = gap.channel_id
    where id > ${since} and name = any(${names})
    order by id desc limit ${MAX_MISSED}`)
  const gapOf = new Map(gaps.map((gap) => [gap.channelId, gap]))
  return rows.map(eventOf).filter((event) => isIn(gapOf.get(event.topic.channelId), numberOf(event)))
}

function inOrder(messages: readonly Event[]): Event[] {
  return messages.toSorted((one, other) => numberOf(one) - numberOf(other))
}

function isCreation({ name }: Event): boolean {
  return name === 'MESSAGE_CREATE'
}

function isIn(gap: Gap | undefined, seq: number): boolean {
  return gap !== undefined && seq > gap.after && seq <= gap.upTo
}

function numberOf(event: Event): number {
  return seqOf(event) ?? 0
}
