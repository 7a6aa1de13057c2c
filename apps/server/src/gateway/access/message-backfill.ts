import { channelIdOf } from '#src/channels/place.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { eventOf, type JournalRow } from '#src/kernel/journal/journal.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { Connection } from '../connections/connection.ts'
import { dispatchFrame } from '../connections/frames.ts'
import type { Listeners } from '../listeners/listeners.ts'
import { numberedEvents, seqOf } from './message-seq.ts'

/** Maximum events per look-up. A connection that has just received a channel's state cannot be missing more. */
const MAX_BACKFILL = 2000

/** A range of a channel's `seq` that a connection did not receive: after `after`, up to and including `upTo`. */
export interface Gap {
  channelId: string
  /** The thread's room, under which the journal stores the thread's messages. Undefined for other channels. */
  parentId?: string | undefined
  after: number
  upTo: number
}

export interface MessageBackfill {
  gaps: readonly Gap[]
  /** The journal id to start from. */
  since: string
}

/** Returns the new messages in the gaps, in the order of `seq` within each channel. */
export async function findMissingMessages(
  database: Queryable,
  tenantId: string,
  backfill: MessageBackfill,
): Promise<Event[]> {
  const messages = await findInGaps(database, tenantId, backfill, ['MESSAGE_CREATE'])
  return inOrder(messages)
}

/**
 * Sends new subscribers of the channels the messages delivered before they subscribed, and later changes of these
 * messages. A message whose delivery is still pending may be sent twice.
 */
export async function dispatchBackfill(
  { database, listeners }: { database: Queryable; listeners: Listeners },
  connections: Iterable<Connection>,
  tenantId: string,
  backfill: MessageBackfill,
): Promise<void> {
  if (backfill.gaps.length === 0) return
  const events = await findInGaps(database, tenantId, backfill, numberedEvents)
  const [messages, changes] = [events.filter(isCreation), events.filter((event) => !isCreation(event))]
  const ordered = [...inOrder(messages), ...changes.toReversed()]
  for (const connection of connections) {
    const due = ordered.filter((event) => listeners.mayReceive(connection, event))
    for (const event of due) connection.dispatch(dispatchFrame(event), false)
  }
}

/** @returns events in the gaps, newest first */
async function findInGaps(
  database: Queryable,
  tenantId: string,
  { gaps, since }: MessageBackfill,
  names: readonly string[],
): Promise<Event[]> {
  const rows = await database.query<JournalRow>(sql`
    select kind, events.tenant_id, events.channel_id, id, audience, name, data
    from unnest(${[...new Set(gaps.map(({ channelId, parentId }) => parentId ?? channelId))]}::uuid[]) as gap (channel_id)
    join events on events.tenant_id = ${tenantId} and events.channel_id = gap.channel_id
    where id > ${since} and name = any(${names})
    order by id desc limit ${MAX_BACKFILL}`)
  const gapOf = new Map(gaps.map((gap) => [gap.channelId, gap]))
  return rows.map(eventOf).filter((event) => isIn(gapOf.get(channelIdOf(event)), numberOf(event)))
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
