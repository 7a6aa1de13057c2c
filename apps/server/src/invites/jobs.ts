import type { Database } from '#src/kernel/database/database.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'

/**
 * Deletes expired invites. Skips locked ones until the next run: deleting a room deletes its invites in another order,
 * and the two could deadlock.
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
