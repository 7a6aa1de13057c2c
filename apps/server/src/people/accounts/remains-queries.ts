import type { Database } from '#src/kernel/database/database.ts'
import { sql } from '#src/kernel/sql/sql.ts'

/** Deletes some of a user's read states. Returns their number. */
export async function deleteReadStates(database: Database, userId: string, limit: number): Promise<number> {
  const deleted = await database.execute(sql`
    delete from read_states where user_id = ${userId} and ctid = any(array(
      select ctid from read_states where user_id = ${userId} limit ${limit}))
    returning 1 as deleted`)
  return deleted.length
}

/** Deletes some of a user's follows of threads. Returns their number. */
export async function deleteFollowsOf(database: Database, userId: string, limit: number): Promise<number> {
  const deleted = await database.execute(sql`
    delete from thread_follows where user_id = ${userId} and ctid = any(array(
      select ctid from thread_follows where user_id = ${userId} limit ${limit}))
    returning 1 as deleted`)
  return deleted.length
}

/**
 * Clears a user's nicknames from the audit logs of some spaces, in the order of their ids. All spaces are searched,
 * because no table lists the spaces that a user was in.
 * @returns the last space searched; undefined when none are left
 */
export async function clearNicknames(
  database: Database,
  userId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string | undefined> {
  const [passed] = await database.execute<{ last: string | null }>(sql`
    with passed as materialized (
      select id from spaces where id > ${after} order by id limit ${limit}
    ), cleared as (
      update audit_log set before = null, after = null
      from passed
      where audit_log.space_id = passed.id and target_id = ${userId} and action = 'member_update'
    )
    select id as last from passed order by id desc limit 1`)
  return passed?.last ?? undefined
}
