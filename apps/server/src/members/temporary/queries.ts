import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** A membership that ends when its user disconnects. */
export interface TemporaryMember {
  space_id: string
  user_id: string
}

/**
 * Matches temporary memberships of users who have been away for two minutes: a short network failure ends no membership.
 * The start of the absence is kept in the row, because each run of the job may be on another process.
 */
const isDue = fragment`is_temporary and away_since <= now() - interval '2 minutes'`

/** Returns users with temporary memberships after the given user, in order. */
export async function listTemporaryUsers(
  database: Queryable,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await database.query<{ user_id: string }>(sql`
    select distinct user_id from members
    where is_temporary and user_id > ${after}
    order by user_id limit ${limit}`)
  return rows.map((row) => row.user_id)
}

/** Returns the users' temporary memberships that must end. */
export async function listDue(database: Queryable, userIds: readonly string[]): Promise<TemporaryMember[]> {
  return database.query<TemporaryMember>(sql`
    select space_id, user_id from members
    where ${isDue} and user_id = any(${userIds})
    order by user_id, space_id`)
}

/** Returns whether the membership must still end. Locks its row, so that a run that finds the user connected waits. */
export async function lockDue(
  transaction: Queryable,
  { space_id, user_id }: TemporaryMember,
): Promise<boolean> {
  const rows = await transaction.query(sql`
    select from members where space_id = ${space_id} and user_id = ${user_id} and ${isDue} for update`)
  return rows.length > 0
}
