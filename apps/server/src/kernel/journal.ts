import type { Event, Topic } from './bus.ts'
import { firstIdAt } from './ids.ts'
import { type Query, type Queryable, sql } from './sql.ts'

/** How long a client may be away and still resume: 24 hours. */
export const RESUME_WINDOW_MS = 24 * 60 * 60 * 1000

const PARTITION_MS = 6 * 60 * 60 * 1000
/** Partitions made ahead: three days in which the upkeep may fail before a write would. */
const PARTITIONS_AHEAD = 12

export interface ReplayRange {
  topics: readonly Topic[]
  /** Exclusive: the last id that was seen. */
  after: string
  /** Exclusive. */
  before: string
}

interface EventRow {
  kind: Topic['kind']
  tenant_id: string
  channel_id: string
  id: string
  audience: number
  name: string
  data: string
}

export type JournaledEvent = Event & { id: string }

/** What was published to the topics, oldest first. */
export async function listEvents(
  database: Queryable,
  { topics, after, before }: ReplayRange,
  limit: number,
): Promise<JournaledEvent[]> {
  const rows = await database.query<EventRow>(sql`
    select kind, tenant_id, channel_id, id, audience, name, data
    from unnest(
      ${topics.map((topic) => topic.tenantId)}::uuid[],
      ${topics.map((topic) => topic.channelId)}::uuid[]) as topic (tenant_id, channel_id)
    join events using (tenant_id, channel_id)
    where id > ${after} and id < ${before}
    order by id limit ${limit}`)
  return rows.map(eventOf)
}

/** Those of the events that are in the journal, as it has them, oldest first. */
export async function findEvents(database: Queryable, events: readonly Event[]): Promise<JournaledEvent[]> {
  const rows = await database.query<EventRow>(sql`
    select kind, tenant_id, channel_id, id, audience, name, data
    from unnest(
      ${events.map((event) => event.topic.tenantId)}::uuid[],
      ${events.map((event) => event.topic.channelId)}::uuid[],
      ${events.map((event) => event.id)}::uuid[]) as wanted (tenant_id, channel_id, id)
    join events using (tenant_id, channel_id, id)
    order by id`)
  return rows.map(eventOf)
}

function eventOf({ kind, tenant_id, channel_id, ...event }: EventRow): JournaledEvent {
  return { ...event, topic: { kind, tenantId: tenant_id, channelId: channel_id } }
}

/** Makes the partitions of the next three days, and drops those past the resume window. Safe to run at any time. */
export async function maintainPartitions(database: Queryable, now: number): Promise<void> {
  const current = Math.floor(now / PARTITION_MS)
  for (let index = current - 1; index <= current + PARTITIONS_AHEAD; index += 1) {
    await database.query(ddl(createPartition(index)))
  }
  const names = await listPartitions(database)
  const oldest = partitionName(Math.floor((now - RESUME_WINDOW_MS) / PARTITION_MS) - 1)
  for (const name of names.filter((name) => name < oldest))
    await database.query(ddl(`drop table if exists ${name}`))
}

async function listPartitions(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'events'::regclass order by relname`)
  return rows.map((row) => row.name)
}

function createPartition(index: number): string {
  const from = firstIdAt(index * PARTITION_MS)
  const to = firstIdAt((index + 1) * PARTITION_MS)
  return `create table if not exists ${partitionName(index)} partition of events for values from ('${from}') to ('${to}')`
}

function partitionName(index: number): string {
  return `events_${new Date(index * PARTITION_MS).toISOString().slice(0, 13).replaceAll(/\D/g, '')}`
}

/** A statement whose names cannot be parameters; it is made of nothing that a user said. */
function ddl(text: string): Query {
  return { name: '', text, values: [] }
}
