import type { Database } from '#src/kernel/database/database.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'

/** Deletes the timeouts that have ended. */
export async function sweepTimeouts(database: Database): Promise<void> {
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from timeouts where ctid = any(array(
        select ctid from timeouts where until < now() limit ${limit}
        for update skip locked))
      returning user_id`),
  )
}
