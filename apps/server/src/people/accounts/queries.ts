import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Returns true if the user owns a space. Searches the user's memberships, which have an index: owners are members. */
export async function ownsSpaces(database: Queryable, userId: string): Promise<boolean> {
  const [owned] = await database.query(sql`
    select from members join spaces on spaces.id = space_id
    where user_id = ${userId} and owner_id = user_id and deleted_at is null
    limit 1`)
  return owned !== undefined
}

/** Locks up to `limit` of the user's spaces, ordered by id, so that two users who leave many spaces do not deadlock. */
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

/** Returns true if the user is in other spaces or groups than these. */
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

/**
 * Deletes the user's remaining notification settings, for direct conversations. Leaving a space or a group deletes its
 * settings.
 */
export async function deleteNotificationSettingsOf(database: Queryable, userId: string): Promise<void> {
  await database.query(sql`delete from notification_settings where user_id = ${userId}`)
}

/**
 * Deletes everything that the user can log in with.
 * @returns the ids that identify the user's connections: session ids, or the id of a bot
 */
export async function deleteCredentialsOf(database: Queryable, userId: string): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    with token as (delete from bot_tokens where user_id = ${userId} returning user_id),
      apps as (delete from totp where user_id = ${userId}),
      keys as (delete from passkeys where user_id = ${userId}),
      proofs as (delete from owner_proofs where user_id = ${userId}),
      challenges as (delete from passkey_challenges where user_id = ${userId}),
      codes as (delete from recovery_codes where user_id = ${userId}),
      devices as (delete from known_devices where user_id = ${userId}),
      snapshots as (delete from account_snapshots where user_id = ${userId}),
      linked as (delete from identities where user_id = ${userId}),
      ended as (delete from sessions where user_id = ${userId} returning id)
    select id from ended union all select user_id from token`)
  return rows.map((row) => row.id)
}

/**
 * Ends the account's waiting at the door of spaces, and returns the ids of these spaces. The rows stay, so that
 * moderators can still remove what it wrote in a raid.
 */
export async function endWaitingOf(transaction: Queryable, userId: string): Promise<string[]> {
  const rows = await transaction.query<{ space_id: string }>(sql`
    update newcomers set has_left = true, let_in_at = null where user_id = ${userId} and not has_left
    returning space_id`)
  return rows.map((row) => row.space_id)
}
