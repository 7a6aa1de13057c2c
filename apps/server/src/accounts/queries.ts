import { type Queryable, sql } from '#src/kernel/sql.ts'

/** By membership: owners are members, and memberships are indexed by user. */
export async function ownsSpaces(database: Queryable, userId: string): Promise<boolean> {
  const [owned] = await database.query(sql`
    select from members join spaces on spaces.id = space_id
    where user_id = ${userId} and owner_id = user_id and deleted_at is null
    limit 1`)
  return owned !== undefined
}

/**
 * The first of the spaces that the user is a member of, held until the transaction ends: in one order, so that two who
 * leave many do not wait for each other.
 */
export async function lockSpacesOf(
  transaction: Queryable,
  userId: string,
  limit: number,
): Promise<{ id: string; is_owned: boolean }[]> {
  return transaction.query(sql`
    select id, owner_id = ${userId} and deleted_at is null as is_owned
    from spaces where id in (select space_id from members where user_id = ${userId})
    order by id limit ${limit}
    for no key update`)
}

/** Whether the user is in other spaces and groups than these. */
export async function isMemberElsewhere(
  database: Queryable,
  userId: string,
  ids: readonly string[],
): Promise<boolean> {
  const [other] = await database.query(sql`
    select from members where user_id = ${userId} and space_id <> all(${ids})
    union all
    select from conversation_members join conversations on id = conversation_id
    where user_id = ${userId} and type = 2 and id <> all(${ids})
    limit 1`)
  return other !== undefined
}

/** What they chose for direct conversations: spaces and groups take theirs along. */
export async function deleteNotificationSettingsOf(database: Queryable, userId: string): Promise<void> {
  await database.query(sql`delete from notification_settings where user_id = ${userId}`)
}

/** @returns what the connections go by that were opened with them: the sessions' ids, for a bot's token the bot's */
export async function deleteCredentialsOf(database: Queryable, userId: string): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    with token as (delete from bot_tokens where user_id = ${userId} returning user_id),
      ended as (delete from sessions where user_id = ${userId} returning id)
    select id from ended union all select user_id from token`)
  return rows.map((row) => row.id)
}
