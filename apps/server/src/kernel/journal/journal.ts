import { type Queryable, sql } from '../sql/sql.ts'
import type { Event, Topic } from './bus.ts'

/** Time a client may be away and still resume: 24 hours. */
export const RESUME_WINDOW_MS = 24 * 60 * 60 * 1000

export interface ReplayRange {
  topics: readonly Topic[]
  /** Lower bound of the ids, exclusive. */
  after: string
  /** Upper bound of the ids, exclusive. */
  before: string
}

export interface JournalRow {
  kind: Topic['kind']
  tenant_id: string
  channel_id: string
  id: string
  audience: number
  name: string
  data: string
}

export type JournaledEvent = Event & { id: string }

/** Returns the events of the topics, oldest first. */
export async function listEvents(
  database: Queryable,
  { topics, after, before }: ReplayRange,
  limit: number,
): Promise<JournaledEvent[]> {
  const rows = await database.query<JournalRow>(sql`
    select kind, tenant_id, channel_id, id, audience, name, data
    from unnest(
      ${topics.map((topic) => topic.tenantId)}::uuid[],
      ${topics.map((topic) => topic.channelId)}::uuid[]) as topic (tenant_id, channel_id)
    join events using (tenant_id, channel_id)
    where id > ${after} and id < ${before}
    order by id limit ${limit}`)
  return rows.map(eventOf)
}

/** The position of an event in the journal. */
interface JournalPosition {
  readonly id: string | undefined
  readonly topic: Pick<Topic, 'tenantId' | 'channelId'>
}

/** Returns the given events that are in the journal, oldest first. */
export async function findEvents(
  database: Queryable,
  events: readonly JournalPosition[],
): Promise<JournaledEvent[]> {
  const rows = await database.query<JournalRow>(sql`
    select kind, tenant_id, channel_id, id, audience, name, data
    from unnest(
      ${events.map((event) => event.topic.tenantId)}::uuid[],
      ${events.map((event) => event.topic.channelId)}::uuid[],
      ${events.map((event) => event.id)}::uuid[]) as wanted (tenant_id, channel_id, id)
    join events using (tenant_id, channel_id, id)
    order by id`)
  return rows.map(eventOf)
}

export function eventOf({ kind, tenant_id, channel_id, ...event }: JournalRow): JournaledEvent {
  return { ...event, topic: { kind, tenantId: tenant_id, channelId: channel_id } }
}
