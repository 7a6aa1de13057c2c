import { HEALTH_HOURS, MAX_HEALTH_POINTS, type ServerHealth } from '@foyer/protocol/server-health'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { quantileMs } from './latency.ts'
import { type MinuteRow, readLatencies, readMinutes } from './queries.ts'

const MINUTES_PER_HOUR = 60
const MINUTE_MS = 60_000

/** Returns the figures of the last hours. Each point covers enough minutes to stay within the limit of points. */
export async function readHealth(
  database: Queryable,
  { hours = HEALTH_HOURS }: { hours?: number },
  now = Date.now(),
): Promise<ServerHealth> {
  const stepMinutes = Math.ceil((hours * MINUTES_PER_HOUR) / MAX_HEALTH_POINTS)
  const stepMs = stepMinutes * MINUTE_MS
  const length = (hours * MINUTES_PER_HOUR) / stepMinutes
  const since = new Date((Math.floor(now / stepMs) - length + 1) * stepMs)
  const span = { since, stepSeconds: stepMs / 1000 }
  const [minutes, latencies] = await Promise.all([readMinutes(database, span), readLatencies(database, span)])
  const minuteAt = new Map(minutes.map((row) => [row.place, row]))
  const countsAt = new Map(latencies.map(({ place, counts }) => [place, counts]))
  const places = Array.from({ length: Math.ceil(length) }, (_, place) => place)
  const series = (read: (row: MinuteRow) => number) =>
    places.map((place) => rounded(minuteAt.get(place), read))
  const quantiles = (share: number) => places.map((place) => quantileMs(countsAt.get(place) ?? [], share))
  return {
    since: since.toISOString(),
    step_seconds: span.stepSeconds,
    connections: series((row) => row.connections),
    requests: series((row) => row.requests),
    errors: series((row) => row.errors),
    messages: series((row) => row.messages),
    p50_ms: quantiles(0.5),
    p99_ms: quantiles(0.99),
    cpu: series((row) => row.cpu),
    memory_bytes: series((row) => row.memory_bytes),
    lag_ms: series((row) => row.lag_ms),
    database_bytes: carried(places, minuteAt),
  }
}

function rounded(row: MinuteRow | undefined, read: (row: MinuteRow) => number): number | null {
  return row === undefined ? null : Math.round(read(row) * 1000) / 1000
}

/**
 * Fills in the database's size, which is measured once an hour: the last size is used until the next one, while a
 * process runs.
 */
function carried(places: readonly number[], rows: ReadonlyMap<number, MinuteRow>): (number | null)[] {
  let last: number | null = null
  return places.map((place) => {
    const row = rows.get(place)
    last = row?.database_bytes ?? last
    return row === undefined ? null : last
  })
}
