import type { Database } from '#src/kernel/database.ts'
import { sql } from '#src/kernel/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'

/**
 * Deletes the expired invites. Those that somebody holds are left for the next time: who deletes their room deletes many
 * of them too, in another order, and the two would wait for each other.
 */
export async function sweepInvites(database: Database): Promise<void> {
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from invites where ctid = any(array(
        select ctid from invites where expires_at < now()
        order by expires_at, id limit ${limit}
        for update skip locked))
      returning id`),
  )
}
