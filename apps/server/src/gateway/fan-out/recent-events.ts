import { GREATEST_ID } from '@foyer/protocol/ids'
import { CLOCK_SKEW_MS } from '#src/kernel/database/database.ts'
import { firstIdAt } from '#src/kernel/ids.ts'
import { eventOf, type JournaledEvent, type JournalRow } from '#src/kernel/journal/journal.ts'
import { Batched } from '#src/kernel/sql/batched.ts'
import { uuidArray } from '#src/kernel/sql/binary-arrays.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Channel ids by tenant id. */
export type Channels = ReadonlyMap<string, Iterable<string>>

interface Question {
  readonly channels: Channels
  /** Journal position, exclusive. */
  readonly after: string
}

const BOUNDS = { maxKeys: 100, atOnce: 2, pauseMs: 10 }
/**
 * Events per batch, about 3 MB; two batches run simultaneously. If there are more, each connection reads its own pages.
 */
const MAX_EVENTS = 4000
const MAX_CHANNEL_EVENTS = 1000

/**
 * Reads the newest journal events for many connections at once. Clients that reconnect together missed the same period in
 * the same spaces, so their events are read and encoded once.
 */
export class RecentEventsReader {
  readonly #batched: Batched<Question, RecentEvents>

  constructor(database: Queryable) {
    this.#batched = new Batched(BOUNDS, async (questions) => {
      const recent = await load(database, questions)
      return () => recent
    })
  }

  read(channels: Channels, after: string): Promise<RecentEvents> {
    return this.#batched.ask({ channels, after })
  }
}

async function load(database: Queryable, questions: readonly Question[]): Promise<RecentEvents> {
  const channelKeys = [...join(questions)].flatMap(([tenantId, channels]) =>
    [...channels].map((channelId) => ({ tenantId, channelId })),
  )
  const after = questions.reduce(
    (least, question) => (question.after < least ? question.after : least),
    GREATEST_ID,
  )
  const rows = await database.query<JournalRow>(sql`
    select kind, asked.tenant_id, asked.channel_id, id, audience, name, data
    from unnest(
        ${uuidArray(channelKeys.map(({ tenantId }) => tenantId))}::uuid[],
        ${uuidArray(channelKeys.map(({ channelId }) => channelId))}::uuid[]) as asked (tenant_id, channel_id)
      cross join lateral (
        select kind, id, audience, name, data from events
        where events.tenant_id = asked.tenant_id and events.channel_id = asked.channel_id
          and id > ${after} and id < ${firstIdAt(Date.now() + CLOCK_SKEW_MS)}
        order by id desc limit ${MAX_CHANNEL_EVENTS}) as newest
    order by id desc limit ${MAX_EVENTS}`)
  return new RecentEvents(rows)
}

/** Merges the channels of all questions. Most questions share the same list objects, so each object is read once. */
function join(questions: readonly Question[]): ReadonlyMap<string, ReadonlySet<string>> {
  const joined = new Map<string, Set<string>>()
  const seen = new Set<Iterable<string>>()
  for (const [tenantId, channels] of questions.flatMap((question) => [...question.channels])) {
    if (seen.has(channels)) continue
    seen.add(channels)
    const all = joined.get(tenantId) ?? new Set()
    joined.set(tenantId, all)
    for (const channelId of channels) all.add(channelId)
  }
  return joined
}

/** The newest journal events of some tenants. */
export class RecentEvents {
  readonly #byTenant: ReadonlyMap<string, readonly JournaledEvent[]>
  /** The result is complete from this id on, except for tenants in `#boundedFrom`, which are complete from a later id on. */
  readonly #completeFrom: string
  readonly #boundedFrom = new Map<string, string>()

  /** @param rows newest first */
  constructor(rows: readonly JournalRow[]) {
    const events = rows.toReversed().map(eventOf)
    this.#completeFrom = rows.length < MAX_EVENTS ? '' : (events[0]?.id ?? '')
    this.#byTenant = Map.groupBy(events, ({ topic }) => topic.tenantId)
    for (const ofChannel of Map.groupBy(events, ({ topic }) => topic.channelId).values())
      this.#bound(ofChannel)
  }

  /**
   * Returns the tenants' events after the id, oldest first; undefined if some are not in the result. May include
   * events of the tenants' other channels.
   */
  of(tenantIds: readonly string[], after: string): readonly JournaledEvent[] | undefined {
    const known = tenantIds.filter((tenantId) => this.#byTenant.has(tenantId))
    const isCut = known.some((tenantId) => after < (this.#boundedFrom.get(tenantId) ?? ''))
    if (after < this.#completeFrom || isCut) return undefined
    const events = known.flatMap((tenantId) => this.#byTenant.get(tenantId) ?? [])
    const due = events.filter(({ id }) => id > after)
    return known.length < 2 ? due : due.sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  #bound(ofChannel: readonly JournaledEvent[]): void {
    const [oldest] = ofChannel
    if (oldest === undefined || ofChannel.length < MAX_CHANNEL_EVENTS) return
    const known = this.#boundedFrom.get(oldest.topic.tenantId) ?? ''
    if (oldest.id > known) this.#boundedFrom.set(oldest.topic.tenantId, oldest.id)
  }
}
