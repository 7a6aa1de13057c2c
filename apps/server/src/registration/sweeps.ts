import type { Database } from '#src/kernel/database/database.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'

/** Days that an application waits. Operators who decide none by then will not. */
const REGISTRATION_DAYS = 30

/** Deletes applications that nobody decided. Nothing is mailed: somebody else may have entered the address. */
export async function sweepRegistrations(database: Database): Promise<void> {
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from registrations where ctid = any(array(
        select ctid from registrations where created_at < now() - make_interval(days => ${REGISTRATION_DAYS})
        order by created_at limit ${limit}
        for update skip locked))
      returning id`),
  )
}
