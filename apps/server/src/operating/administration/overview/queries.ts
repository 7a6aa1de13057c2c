import type { ServerCount, ServerOverview, ServerProcess } from '@foyer/protocol/server-health'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Maximum rows to count. Above it, statistics are used, because an overview must not read a whole table. */
const MAX_COUNTED = 10_000
/** Limit for counts that only read an index, which is faster: 100,000 entries take about 30 ms. */
const MAX_INDEXED = 100_000

interface Counted {
  count: number
  /** Rows of the table or index at the last VACUUM or ANALYZE; -1 before the first. */
  estimate: number
}

/**
 * Counts people, spaces and messages. Counts are exact up to a limit. Beyond it they come from the statistics that
 * PostgreSQL keeps for its planner.
 */
export async function countServer(
  database: Queryable,
): Promise<Pick<ServerOverview, 'people' | 'spaces' | 'messages'>> {
  const [people, spaces, messages] = await Promise.all([
    database.query<Counted>(sql`
      select count(*), (select reltuples::float8 from pg_class where oid = 'users_name_start'::regclass) as estimate
      from (select from users where deleted_at is null and not is_bot limit ${MAX_COUNTED + 1}) as counted`),
    database.query<Counted>(sql`
      select count(*), (select reltuples::float8 from pg_class where oid = 'spaces_name_start'::regclass) as estimate
      from (select from spaces where deleted_at is null limit ${MAX_COUNTED + 1}) as counted`),
    database.query<Counted>(sql`
      select count(*), (select reltuples::float8 from pg_class where oid = 'messages'::regclass) as estimate
      from (select from messages limit ${MAX_COUNTED + 1}) as counted`),
  ])
  return { people: countOf(people), spaces: countOf(spaces), messages: countOf(messages) }
}

function countOf([row]: readonly Counted[]): ServerCount {
  const { count, estimate } = row ?? { count: 0, estimate: 0 }
  if (count <= MAX_COUNTED) return { count, precision: 'exact' }
  if (estimate <= count) return { count: MAX_COUNTED, precision: 'at_least' }
  return { count: Math.round(estimate), precision: 'about' }
}

/** Returns the last count of active people, which is updated every hour; null fields before the first count. */
export async function findActive(
  database: Queryable,
): Promise<Pick<ServerOverview, 'active_day' | 'active_week' | 'active_at'>> {
  const [row] = await database.query<{ active_day: number; active_week: number; active_at: string }>(sql`
    select active_day, active_week, taken_at as active_at from health_samples
    where active_day is not null order by taken_at desc limit 1`)
  return row ?? { active_day: null, active_week: null, active_at: null }
}

/** Sums the storage that each bucket has counted, including reservations for uploads. */
export async function sumStorage(database: Queryable): Promise<ServerCount> {
  const [row] = await database.query<{ bytes: number; buckets: number }>(sql`
    select coalesce(sum(used_bytes), 0)::bigint as bytes, count(*) as buckets
    from (select used_bytes from storage_buckets limit ${MAX_INDEXED + 1}) as buckets`)
  const { bytes, buckets } = row ?? { bytes: 0, buckets: 0 }
  return { count: bytes, precision: buckets > MAX_INDEXED ? 'at_least' : 'exact' }
}

/** Counts the people in voice rooms and calls. Each has one row. */
export async function countInVoice(database: Queryable): Promise<number> {
  const [row] = await database.query<{ count: number }>(sql`select count(*) from voice_states`)
  return row?.count ?? 0
}

export function listProcesses(database: Queryable): Promise<ServerProcess[]> {
  return database.query<ServerProcess>(sql`
    select id, version, services, connections, started_at, seen_at from server_processes
    where seen_at > now() - interval '2 minutes'
    order by started_at, id`)
}

export async function findLastMigration(database: Queryable): Promise<string> {
  const [row] = await database.query<{ name: string }>(sql`
    select name from migrations order by name desc limit 1`)
  return row?.name ?? ''
}
