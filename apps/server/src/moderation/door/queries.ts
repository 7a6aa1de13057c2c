import type { Door, ListNewcomersQuery, Newcomer } from '@foyer/protocol/door'
import { LEAST_ID } from '@foyer/protocol/ids'
import { MAX_BANS_PAGE } from '@foyer/protocol/limits'
import type { Database } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { sweepInBatches } from '#src/kernel/sweeping.ts'
import { findUsers } from '#src/people/users/queries.ts'

type NewcomerRow = Omit<Newcomer, 'user'> & { user_id: string }

/** Lists a page of newcomers by user id, except those who are being let in. */
export async function listNewcomers(
  database: Queryable,
  spaceId: string,
  { after = LEAST_ID, limit = MAX_BANS_PAGE }: ListNewcomersQuery,
): Promise<Newcomer[]> {
  const rows = await database.query<NewcomerRow>(sql`
    select user_id, joined_at, has_left from newcomers
    where space_id = ${spaceId} and user_id > ${after} and let_in_at is null
    order by user_id limit ${limit}`)
  const ids = rows.map((row) => row.user_id)
  const users = new Map((await findUsers(database, ids)).map((user) => [user.id, user]))
  return rows.flatMap(({ user_id, ...row }) => {
    const user = users.get(user_id)
    return user === undefined ? [] : [{ user, ...row }]
  })
}

export async function saveSensor(
  transaction: Queryable,
  { space_id, sensor, sensor_joins }: Pick<Door, 'space_id' | 'sensor' | 'sensor_joins'>,
): Promise<void> {
  await transaction.query(sql`
    update spaces set raid_sensor = ${sensor}, raid_sensor_joins = ${sensor_joins} where id = ${space_id}`)
}

/** Marks newcomers to be let in, including those for whom a job failed before, and deletes those who have left. */
export async function markLetIn(
  transaction: Queryable,
  spaceId: string,
  userIds: readonly string[] | null,
): Promise<{ marked: string[]; forgotten: string[] }> {
  const [row] = await transaction.query<{ marked: string[]; forgotten: string[] }>(sql`
    with forgotten as (
      delete from newcomers
      where space_id = ${spaceId} and has_left and (${userIds}::uuid[] is null or user_id = any(${userIds}::uuid[]))
      returning user_id
    ), marked as (
      update newcomers set let_in_at = now()
      where space_id = ${spaceId} and not has_left
        and (${userIds}::uuid[] is null or user_id = any(${userIds}::uuid[]))
      returning user_id
    )
    select array(select user_id from marked order by user_id) as marked,
      array(select user_id from forgotten order by user_id) as forgotten`)
  return row ?? { marked: [], forgotten: [] }
}

/** A newcomer whom a job makes a member. */
export interface Entering {
  readonly user_id: string
  readonly is_temporary: boolean
}

export async function listEntering(database: Queryable, spaceId: string, limit: number): Promise<string[]> {
  const rows = await database.query<{ user_id: string }>(sql`
    select user_id from newcomers where space_id = ${spaceId} and let_in_at is not null
    order by user_id limit ${limit}`)
  return rows.map((row) => row.user_id)
}

/** Returns the newcomer if they are marked to be let in. The mark stays while the caller holds the lock of the space. */
export async function findEntering(
  transaction: Queryable,
  spaceId: string,
  userId: string,
): Promise<Entering | undefined> {
  const [row] = await transaction.query<Entering>(sql`
    select user_id, is_temporary from newcomers
    where space_id = ${spaceId} and user_id = ${userId} and let_in_at is not null`)
  return row
}

/** Marks the member as let in, so that a closing door does not make them wait again. */
export async function markTrusted(transaction: Queryable, spaceId: string, userId: string): Promise<void> {
  await transaction.query(sql`
    update members set was_let_in = true where space_id = ${spaceId} and user_id = ${userId}`)
}

/** Removes the mark to be let in, so that the newcomer waits for a moderator again. */
export async function unmarkLetIn(database: Queryable, spaceId: string, userId: string): Promise<void> {
  await database.query(sql`
    update newcomers set let_in_at = null where space_id = ${spaceId} and user_id = ${userId}`)
}

/** A newcomer who was turned away. */
export interface TurnedAway {
  readonly user_id: string
  readonly joined_at: string
  /** False for a newcomer who never became a member. */
  readonly was_member: boolean
  readonly has_left: boolean
}

/** @param userIds null for all newcomers */
export async function deleteNewcomers(
  transaction: Queryable,
  spaceId: string,
  userIds: readonly string[] | null,
): Promise<TurnedAway[]> {
  return transaction.query<TurnedAway>(sql`
    with gone as (
      delete from newcomers
      where space_id = ${spaceId} and (${userIds}::uuid[] is null or user_id = any(${userIds}::uuid[]))
      returning user_id, joined_at, was_member, has_left
    )
    select * from gone order by user_id`)
}

/** Deletes newcomers who left some days ago. */
export async function sweepNewcomers(database: Database): Promise<void> {
  await sweepInBatches((limit) =>
    database.execute(sql`
      delete from newcomers where ctid = any(array(
        select ctid from newcomers where has_left and waiting_since < now() - interval '7 days'
        limit ${limit} for update skip locked))
      returning user_id`),
  )
}
