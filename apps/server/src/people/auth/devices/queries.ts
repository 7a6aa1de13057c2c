import type { Database } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'

const MAX_KNOWN = 100
const KNOWN_DAYS = 90

/**
 * Remembers a device of a user. The caller has locked the user's row.
 * @returns true if the device is new
 */
export async function rememberDevice(transaction: Queryable, userId: string, mac: string): Promise<boolean> {
  const known = await transaction.query(sql`
    update known_devices set last_used_at = now() where user_id = ${userId} and mac = ${mac} returning mac`)
  if (known.length > 0) return false
  await transaction.query(sql`
    delete from known_devices where user_id = ${userId} and mac = any(array(
      select mac from known_devices where user_id = ${userId}
      order by last_used_at desc, mac offset ${MAX_KNOWN - 1}))`)
  await transaction.query(sql`insert into known_devices (user_id, mac) values (${userId}, ${mac})`)
  return true
}

export async function forgetDevices(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query(sql`delete from known_devices where user_id = ${userId}`)
}

/** Returns how many logins of new devices were mailed to the user within a day. */
export async function countNewDevices(transaction: Queryable, userId: string): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(sql`
    select count(*)::integer as count from account_snapshots
    where user_id = ${userId} and change = 'signed_in' and created_at > now() - interval '1 day'`)
  return row?.count ?? 0
}

export async function sweepKnownDevices(database: Database): Promise<void> {
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from known_devices where ctid = any(array(
        select ctid from known_devices where last_used_at < now() - make_interval(days => ${KNOWN_DAYS})
        order by last_used_at limit ${limit}
        for update skip locked))
      returning user_id`),
  )
}
