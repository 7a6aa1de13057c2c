import { HEALTH_HOURS } from '@foyer/protocol/server-health'
import type { Database } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'
import type { MinuteFigures } from './totals.ts'

export interface Sample extends MinuteFigures {
  processId: string
  connections: number
  memoryBytes: number
  lagMs: number
}

/**
 * Saves a sample. Measuring the size of the database examines each of its files, and counting active people reads all
 * sessions, so only one process does both, once an hour.
 */
export async function saveSample(database: Pick<Database, 'execute'>, sample: Sample): Promise<void> {
  await database.execute(sql`
    with hourly as (
      select pg_database_size(current_database()) as bytes,
        (select count(distinct user_id) from sessions where last_used_at > now() - interval '1 day') as active_day,
        (select count(distinct user_id) from sessions where last_used_at > now() - interval '7 days') as active_week
      where not exists (
        select from health_samples where taken_at > now() - interval '1 hour' and database_bytes is not null)
    )
    insert into health_samples (taken_at, process_id, connections, requests, errors, messages, latency, cpu,
      memory_bytes, lag_ms, database_bytes, active_day, active_week)
    select date_trunc('minute', now()), ${sample.processId}::uuid, ${sample.connections}::integer,
      ${sample.requests}::real, ${sample.errors}::real, ${sample.messages}::real, ${sample.latency}::integer[],
      ${sample.cpu}::real, ${sample.memoryBytes}::bigint, ${sample.lagMs}::real,
      (select bytes from hourly), (select active_day from hourly), (select active_week from hourly)
    on conflict do nothing`)
}

export interface SeenProcess {
  id: string
  version: string
  services: readonly string[]
  connections: number
  startedAt: Date
}

export async function saveProcess(database: Pick<Database, 'execute'>, seen: SeenProcess): Promise<void> {
  await database.execute(sql`
    insert into server_processes (id, version, services, connections, started_at, seen_at)
    values (${seen.id}, ${seen.version}, ${seen.services}::text[], ${seen.connections}, ${seen.startedAt}, now())
    on conflict (id) do update set connections = excluded.connections, seen_at = excluded.seen_at`)
}

export async function deleteProcess(database: Pick<Database, 'execute'>, id: string): Promise<void> {
  await database.execute(sql`delete from server_processes where id = ${id}`)
}

export interface MinuteRow {
  /** Index of the point in the series. */
  place: number
  connections: number
  requests: number
  errors: number
  messages: number
  cpu: number
  memory_bytes: number
  lag_ms: number
  database_bytes: number | null
}

export interface Span {
  since: Date
  stepSeconds: number
}

/**
 * Sums the figures of all processes per minute, and averages the minutes of each point. Reads by the primary key, which
 * begins with the time: 1440 rows for each process that ran all day.
 */
export function readMinutes(database: Queryable, { since, stepSeconds }: Span): Promise<MinuteRow[]> {
  return database.query<MinuteRow>(sql`
    with minutes as (
      select taken_at, sum(connections) as connections, sum(requests) as requests, sum(errors) as errors,
        sum(messages) as messages, sum(cpu) as cpu, sum(memory_bytes) as memory_bytes, max(lag_ms) as lag_ms,
        max(database_bytes) as database_bytes
      from health_samples where taken_at >= ${since}::timestamptz
      group by taken_at
    )
    select floor(extract(epoch from taken_at - ${since}::timestamptz) / ${stepSeconds}::integer)::integer as place,
      avg(connections)::float8 as connections, avg(requests)::float8 as requests, avg(errors)::float8 as errors,
      avg(messages)::float8 as messages, avg(cpu)::float8 as cpu, avg(memory_bytes)::bigint as memory_bytes,
      max(lag_ms)::float8 as lag_ms, max(database_bytes) as database_bytes
    from minutes group by place order by place`)
}

/**
 * Sums the requests per latency bucket, for percentiles of all processes together. Each of the LATENCY_PARTS has its own
 * `sum`: unnesting the arrays of ten processes takes four times as long.
 */
export function readLatencies(
  database: Queryable,
  { since, stepSeconds }: Span,
): Promise<{ place: number; counts: number[] }[]> {
  return database.query(sql`
    select floor(extract(epoch from taken_at - ${since}::timestamptz) / ${stepSeconds}::integer)::integer as place,
      array[sum(latency[1]), sum(latency[2]), sum(latency[3]), sum(latency[4]), sum(latency[5]), sum(latency[6]),
        sum(latency[7]), sum(latency[8]), sum(latency[9]), sum(latency[10]), sum(latency[11]), sum(latency[12]),
        sum(latency[13])]::integer[] as counts
    from health_samples where taken_at >= ${since}::timestamptz
    group by place`)
}

/** Deletes samples older than a day, and processes not seen for a day. */
export async function sweepHealth(database: Database): Promise<void> {
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from health_samples where ctid = any(array(
        select ctid from health_samples where taken_at < now() - make_interval(hours => ${HEALTH_HOURS})
        order by taken_at limit ${limit}
        for update skip locked))
      returning 1 as deleted`),
  )
  await database.execute(sql`
    delete from server_processes where seen_at < now() - make_interval(hours => ${HEALTH_HOURS})`)
}
