import type { Database } from '#src/kernel/database/database.ts'
import { sql } from '#src/kernel/sql/sql.ts'

/**
 * Records the start of an absence for users without one. An absence from before the process started is recorded again:
 * while no process ran, users could not be connected.
 * @param runningMs age of the process
 */
export async function beginAbsences(
  database: Database,
  userIds: readonly string[],
  runningMs: number,
): Promise<void> {
  await database.execute(sql`
    with begun as (
      -- In order, so that two runs do not deadlock.
      select space_id, user_id from members
      where is_temporary and user_id = any(${userIds})
        and (away_since is null or away_since < now() - make_interval(secs => ${runningMs / 1000}))
      order by user_id, space_id for no key update
    )
    update members set away_since = now() from begun
    where members.space_id = begun.space_id and members.user_id = begun.user_id`)
}

/** Ends the absences of the users. */
export async function endAbsences(database: Database, userIds: readonly string[]): Promise<void> {
  await database.execute(sql`
    with ended as (
      -- In order, so that two runs do not deadlock.
      select space_id, user_id from members
      where is_temporary and user_id = any(${userIds}) and away_since is not null
      order by user_id, space_id for no key update
    )
    update members set away_since = null from ended
    where members.space_id = ended.space_id and members.user_id = ended.user_id`)
}
