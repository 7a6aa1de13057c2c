import { sweepInvites } from '#src/invites/jobs.ts'
import type { Database } from '#src/kernel/database.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { databaseTime, dropPartitions, makePartitions } from '#src/kernel/journal-partitions.ts'
import { sql } from '#src/kernel/sql.ts'

/** What the service does for itself: makes room for the journal and sweeps what has expired. */
export function upkeepJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: {
      journal_partitions: () => maintainPartitions(database),
      sweep: () => sweep(database),
    },
    schedule: ['7 * * * * journal_partitions', '*/10 * * * * sweep'],
  }
}

async function maintainPartitions(database: Database): Promise<void> {
  await makePartitions(database, Date.now())
  await dropPartitions(database, await databaseTime(database))
}

async function sweep(database: Database): Promise<void> {
  await database.execute(sql`delete from message_nonces where created_at < now() - interval '24 hours'`)
  await database.execute(sql`delete from mail_tokens where expires_at < now()`)
  await database.execute(sql`delete from sessions where expires_at < now()`)
  await sweepInvites(database)
  await deleteFailedJobs(database)
}

/** Jobs whose last attempt failed a day ago: their payloads name people, who may be gone by now. */
async function deleteFailedJobs(database: Database): Promise<void> {
  await database.execute(sql`
    select graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '1 day'))`)
}
