import type { Database } from '#src/kernel/database.ts'
import { sql } from '#src/kernel/sql.ts'

const SWEEP_BATCH = 5000

/**
 * Deletes the expired invites, batch by batch. Those that somebody holds are left for the next time: who deletes their
 * room deletes many of them too, in another order, and the two would wait for each other.
 */
export async function sweepInvites(database: Database): Promise<void> {
  const swept = await database.execute(sql`
    delete from invites where ctid = any(array(
      select ctid from invites where expires_at < now()
      order by expires_at, id limit ${SWEEP_BATCH}
      for update skip locked))
    returning id`)
  if (swept.length === SWEEP_BATCH) await sweepInvites(database)
}
