import type { Database } from '#src/kernel/database/database.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'

/** Days before an undecided application is deleted. */
const REGISTRATION_DAYS = 30

/** Deletes undecided applications. No mail is sent, because another person may have entered the address. */
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
