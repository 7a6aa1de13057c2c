import { MAX_LISTED_CONVERSATIONS } from '@foyer/protocol/limits'
import { webPresences } from '@foyer/protocol/on-web'
import type { CurrentUser, UpdateCurrentUserBody, User } from '@foyer/protocol/users'
import { foldName } from '@foyer/protocol/words'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** The columns of a `User`. */
export const userColumns = fragment`
  id, username, alias, avatar, banner, custom, flags, badges, is_bot, email_verified, created_at, updated_at, deleted_at`

const currentUserColumns = fragment`
  id, username, alias, avatar, banner, custom, flags, badges, is_bot, email_verified, birthdate, phone, custom_until,
  case web_presence when 0 then 'name' when 1 then 'no_name' else 'none' end as web_presence,
  created_at, updated_at, deleted_at`

/** Returns users by id, including deleted accounts, whose messages stay. */
export async function findUsers(database: Queryable, userIds: readonly string[]): Promise<User[]> {
  return database.query<User>(sql`
    select ${userColumns}
    from users where id = any(${userIds})`)
}

/** Finds a user by name, ignoring case. Deleted accounts cannot be found. */
export async function findUserByName(database: Queryable, username: string): Promise<User | undefined> {
  const [user] = await database.query<User>(sql`
    select ${userColumns}
    from users where lower(username) = lower(${username}) and deleted_at is null`)
  return user
}

/** Locks users in the order of their ids, to prevent deadlocks. Deleted accounts are skipped. */
export async function lockUsers(transaction: Queryable, userIds: readonly string[]): Promise<User[]> {
  return transaction.query<User>(sql`
    select ${userColumns}
    from users where id = any(${userIds}) and deleted_at is null
    order by id for no key update`)
}

/** Locks the user until the transaction ends; undefined for a deleted account. */
export async function lockCurrentUser(
  transaction: Queryable,
  userId: string,
): Promise<CurrentUser | undefined> {
  const [user] = await transaction.query<CurrentUser>(sql`
    select ${currentUserColumns}
    from users where id = ${userId} and deleted_at is null
    for no key update`)
  return user
}

/** Returns true if an application with this username is pending. */
export async function isAppliedFor(transaction: Queryable, username: string): Promise<boolean> {
  const found = await transaction.query(
    sql`select from registrations where lower(username) = lower(${username})`,
  )
  return found.length > 0
}

/** Returns the user as they see themselves; undefined for a deleted account. */
export async function findCurrentUser(database: Queryable, userId: string): Promise<CurrentUser | undefined> {
  const [user] = await database.query<CurrentUser>(sql`
    select ${currentUserColumns}
    from users where id = ${userId} and deleted_at is null`)
  return user
}

export async function findPasswordHash(database: Queryable, userId: string): Promise<string | null> {
  const [row] = await database.query<{ password_hash: string | null }>(
    sql`select password_hash from users where id = ${userId}`,
  )
  return row?.password_hash ?? null
}

/** Fields that are always saved as given, even if the request omitted them. */
type DecidedFields = Pick<CurrentUser, 'avatar' | 'banner' | 'custom' | 'custom_until'>

/** Changes a user whose row is locked. Omitted texts keep their value. */
export async function updateUser(
  database: Queryable,
  userId: string,
  fields: Omit<UpdateCurrentUserBody, keyof DecidedFields> & DecidedFields,
): Promise<CurrentUser> {
  const { username, alias, avatar, banner, custom, custom_until, birthdate, phone } = fields
  const webPresence = fields.web_presence && webPresences.indexOf(fields.web_presence)
  const aliasKey = alias && foldName(alias)
  const [user] = await database.query<CurrentUser>(sql`
    update users set
      username = coalesce(${username}, username),
      alias = case when ${alias !== undefined}::boolean then ${alias} else alias end,
      alias_key = case when ${alias !== undefined}::boolean then ${aliasKey} else alias_key end,
      avatar = ${avatar}, banner = ${banner},
      custom = ${custom}, custom_until = ${custom_until},
      birthdate = case when ${birthdate !== undefined}::boolean then ${birthdate}::date else birthdate end,
      phone = case when ${phone !== undefined}::boolean then ${phone} else phone end,
      web_presence = coalesce(${webPresence}::smallint, web_presence),
      updated_at = now()
    where id = ${userId} and deleted_at is null
    returning ${currentUserColumns}`)
  if (user === undefined) throw new Error('a locked user cannot be changed')
  return user
}

/** Clears an expired status text. Returns the changed user; undefined if there was nothing to clear. */
export async function clearEndedText(database: Queryable, userId: string): Promise<CurrentUser | undefined> {
  const [user] = await database.query<CurrentUser>(sql`
    update users set custom = '', custom_until = null, updated_at = now()
    where id = ${userId} and custom_until <= now() and deleted_at is null
    returning ${currentUserColumns}`)
  return user
}

/** Updates the names under which members search finds the user in their spaces. */
export async function saveMemberNames(database: Queryable, userId: string): Promise<void> {
  await database.query(sql`
    update members set username_key = users.username, alias_key = users.alias_key
    from users where users.id = ${userId} and members.user_id = users.id`)
}

/** Removes everything from the account except the data that its messages need for their author. */
export async function anonymiseUser(
  database: Queryable,
  userId: string,
  username: string,
): Promise<CurrentUser | undefined> {
  const [user] = await database.query<CurrentUser>(sql`
    update users set
      username = ${username}, email = null, password_hash = null, alias = null, alias_key = null, avatar = null, banner = null, custom = '',
      flags = 0, badges = 0, locked_at = null, lock_reason = null, email_verified = false, birthdate = null, phone = null, chosen_status = null,
      chosen_until = null, custom_until = null,
      updated_at = now(), deleted_at = now()
    where id = ${userId} and deleted_at is null
    returning ${currentUserColumns}`)
  return user
}

export async function listFriendIdsOf(database: Queryable, userId: string): Promise<string[]> {
  const rows = await database.query<{ friend_id: string }>(
    sql`select friend_id from friendships where user_id = ${userId} order by friend_id`,
  )
  return rows.map((row) => row.friend_id)
}

export async function listSpaceIdsOf(database: Queryable, userId: string): Promise<string[]> {
  const rows = await database.query<{ space_id: string }>(
    sql`select space_id from members where user_id = ${userId} order by space_id`,
  )
  return rows.map((row) => row.space_id)
}

/** Lists the user's newest conversations that other members have open, up to a limit. */
export async function listConversationIdsOf(database: Queryable, userId: string): Promise<string[]> {
  const rows = await database.query<{ conversation_id: string }>(sql`
    select conversation_id from conversation_members as own
    where user_id = ${userId} and exists (
      select from conversation_members as other
      where other.conversation_id = own.conversation_id and other.user_id <> ${userId} and closed_at is null)
    order by conversation_id desc limit ${MAX_LISTED_CONVERSATIONS}`)
  return rows.map((row) => row.conversation_id)
}

/** @returns the ids of the ended sessions */
export async function deleteSessionsOf(
  database: Queryable,
  userId: string,
  exceptId: string | undefined,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    delete from sessions where user_id = ${userId} and id is distinct from ${exceptId}::uuid returning id`)
  return rows.map((row) => row.id)
}

/** Keeps the account from being deleted until the transaction ends. Returns false for a deleted account. */
export async function keepAccount(transaction: Queryable, userId: string): Promise<boolean> {
  const rows = await transaction.query(
    sql`select from users where id = ${userId} and deleted_at is null for share`,
  )
  return rows.length > 0
}
