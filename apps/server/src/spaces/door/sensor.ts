import type { Space } from '@foyer/protocol/spaces'
import type { Transaction } from '#src/kernel/database/database.ts'
import { firstIdAt } from '#src/kernel/ids.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { closeInRaid } from './actions.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
/** Days over which the usual joins are counted, without the latest RECENT_MS. */
const HISTORY_DAYS = 7
const RECENT_MS = 10 * MINUTE_MS
/** Maximum joins to count. */
const MAX_COUNTED = 100_000
/** Minimum joins in a raid, as a multiple of the usual joins. */
const UNUSUAL = 3

/**
 * Closes the door of a space locked by `lockSpace` if the user's arrival completes a raid: at least as many arrivals within
 * a minute as the sensor's limit, and at least three times as many as usual.
 * @returns true if this call closed the door
 */
export async function closesInRaid(transaction: Transaction, space: Space, userId: string): Promise<boolean> {
  const now = Date.now()
  const sensor = await findSensor(transaction, space.id)
  if (sensor === undefined) return false
  // Ignores users who joined before the door was last opened, because a moderator has decided about them.
  const since = Math.max(now - MINUTE_MS, Date.parse(sensor.opened_at ?? '') || 0)
  const joined = 1 + (await countOthers(transaction, space.id, { userId, since }))
  if (joined < sensor.least) return false
  const usual = sensor.usual ?? (await countUsual(transaction, space, now))
  if (joined < UNUSUAL * usual) return false
  await closeInRaid(transaction, space, { cause: 'joins', since })
  return true
}

export interface Sensor {
  readonly owner_id: string
  /** Minimum joins in a minute for a raid. */
  readonly least: number
  readonly opened_at: string | null
  /** Usual joins in the busiest minute of a day; null if not counted in the last ten minutes. */
  readonly usual: number | null
}

/** @returns undefined while the sensor is off or the door is closed, and for a deleted space */
export async function findSensor(database: Queryable, spaceId: string): Promise<Sensor | undefined> {
  const [sensor] = await database.query<Sensor>(sql`
    select owner_id, raid_sensor_joins as least, door_opened_at as opened_at,
      case when usual_joins_at > now() - make_interval(secs => ${RECENT_MS / 1000}) then usual_joins end as usual
    from spaces where id = ${spaceId} and raid_sensor and door_closed_at is null and deleted_at is null`)
  return sensor
}

/** Counts the other users who joined since a time, in milliseconds since 1970. */
async function countOthers(
  transaction: Queryable,
  spaceId: string,
  { userId, since }: { userId: string; since: number },
): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(sql`
    select count(distinct target_id) from (
      select target_id from audit_log
      where space_id = ${spaceId} and action = 'member_join' and id >= ${firstIdAt(since)}
      limit ${MAX_COUNTED}) as latest
    where target_id <> ${userId}`)
  return row?.count ?? 0
}

/**
 * Returns how many people join in the busiest minute of a usual day, and caches the number for ten minutes. It is the median
 * of the last seven days, or of the days kept in the audit log, so that yesterday's raid does not count as usual.
 */
async function countUsual(
  transaction: Queryable,
  { id, audit_log_days }: Pick<Space, 'id' | 'audit_log_days'>,
  now: number,
): Promise<number> {
  const days = Math.min(HISTORY_DAYS, audit_log_days ?? HISTORY_DAYS)
  const minutes = await transaction.query<{ minute: number; joins: number }>(sql`
    select (${Math.floor(now / MINUTE_MS)} - time / ${MINUTE_MS})::integer as minute, count(*)::integer as joins
    from audit_log, lateral (
      -- The milliseconds since 1970 are the first 48 bits of an id.
      select ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint as time) as dated
    where space_id = ${id} and action = 'member_join'
      and id >= ${firstIdAt(now - days * DAY_MS)} and id < ${firstIdAt(now - RECENT_MS)}
    group by minute`)
  const busiest = new Array<number>(days).fill(0)
  for (const { minute, joins } of minutes) {
    const day = Math.min(days - 1, Math.floor((minute * MINUTE_MS) / DAY_MS))
    busiest[day] = Math.max(busiest[day] ?? 0, joins)
  }
  const usual = busiest.sort((one, other) => one - other)[Math.floor(days / 2)] ?? 0
  await transaction.query(sql`
    update spaces set usual_joins = ${usual}, usual_joins_at = now() where id = ${id}`)
  return usual
}
