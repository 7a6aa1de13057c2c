import type { Session } from '@foyer/protocol/auth'
import { MAX_SESSIONS, SESSION_SECONDS } from '@foyer/protocol/limits'
import type { CurrentUser } from '@foyer/protocol/users'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { webPresenceColumn } from '#src/kernel/sql/web-presence.ts'
import type { MailTokenOwner } from './mail-tokens.ts'
import type { OwnSession } from './session-of.ts'

export interface LoginAccount {
  id: string
  username: string
  email: string
  password_hash: string
}

/** Finds the account by email address or username. Usernames contain no @, so the two cannot collide. */
export async function findLoginAccount(
  database: Queryable,
  login: string,
): Promise<LoginAccount | undefined> {
  const [account] = await database.query<LoginAccount>(sql`
    select id, username, email, password_hash from users
    where (lower(email) = lower(${login}) or lower(username) = lower(${login}))
      and password_hash is not null and deleted_at is null`)
  return account
}

export async function isEmailTaken(database: Queryable, email: string, byOther: string): Promise<boolean> {
  const [taken] = await database.query(
    sql`select from users where lower(email) = lower(${email}) and id <> ${byOther}`,
  )
  return taken !== undefined
}

/** The client that opened or last used a session. */
export interface Origin {
  /** The User-Agent. */
  device: string
  address: string
}

/** The state of a session that its tokens are made from. */
export interface SessionState {
  id: string
  user_id: string
  generation: number
  expires_at: string
}

export interface NewSession extends Origin {
  id: string
  userId: string
  /** Undefined if the login did not check a password. */
  passwordHash: string | undefined
  identity?: Opener | undefined
  /** True where the person has proved a second factor before the session opens. */
  isConfirmed?: boolean
}

/** The identity at a sign-in provider that opens a session, and the person's session at the provider. */
export interface Opener {
  issuer: string
  subject: string
  providerSession: string | null
}

/**
 * Opens a session if the password is still the one that was checked. The lock keeps password changes, which end sessions, and
 * other logins, which count sessions, from running at the same time.
 */
export async function insertSession(
  database: Queryable,
  session: NewSession,
): Promise<SessionState | undefined> {
  const { issuer = null, subject = null, providerSession = null } = session.identity ?? {}
  const [row] = await database.query<SessionState>(sql`
    insert into sessions (id, user_id, device, address, expires_at, issuer, subject, provider_session,
      has_second_factor)
    select ${session.id}, id, ${session.device}, ${session.address},
      now() + make_interval(secs => ${SESSION_SECONDS}), ${issuer}, ${subject}, ${providerSession},
      ${session.isConfirmed ?? false}
    from users where id = ${session.userId} and deleted_at is null and locked_at is null
      and (${session.passwordHash ?? null}::text is null or password_hash = ${session.passwordHash ?? null})
    for no key update
    returning id, user_id, generation, expires_at`)
  return row
}

/** Maximum sessions over the limit that one login ends. An old account may have more of them. */
const MAX_ENDED_AT_ONCE = 1000

/**
 * Deletes the least recently used sessions, so that the user stays within the limit.
 * @returns the ids of the deleted sessions
 */
export async function deleteSurplusSessions(
  database: Queryable,
  { id, userId }: Pick<NewSession, 'id' | 'userId'>,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    delete from sessions where id = any(array(
      select id from sessions where user_id = ${userId} and id <> ${id} and expires_at > now()
      order by last_used_at desc, id desc limit ${MAX_ENDED_AT_ONCE} offset ${MAX_SESSIONS - 1}))
    returning id`)
  return rows.map((row) => row.id)
}

/** Deletes expired sessions. Sessions whose rows are locked are skipped. */
export async function deleteExpiredSessions(
  database: Queryable,
  limit: number,
): Promise<{ id: string; user_id: string }[]> {
  return database.query<{ id: string; user_id: string }>(sql`
    delete from sessions where ctid = any(array(
      select ctid from sessions where expires_at <= now()
      order by expires_at limit ${limit}
      for update skip locked))
    returning id, user_id`)
}

export interface Refresh {
  userId: string
  sessionId: string
  generation: number
  address: string
}

/** Compares and sets the generation in one statement: of several refreshes with one token, one succeeds. */
export async function advanceSession(
  database: Queryable,
  refresh: Refresh,
): Promise<SessionState | undefined> {
  const [row] = await database.query<SessionState>(sql`
    update sessions set generation = generation + 1, rotated_at = now(), last_used_at = now(), address = ${refresh.address}
    where id = ${refresh.sessionId} and user_id = ${refresh.userId} and generation = ${refresh.generation}
      and expires_at > now()
    returning id, user_id, generation, expires_at`)
  return row
}

const REPEAT_SECONDS = 60

/**
 * Finds a session whose refresh token of this generation may be used again. The tokens of the next generation must be
 * unused, because the answer was lost, or less than a minute old, because another tab refreshed as well. Any use of
 * the next generation is later than `rotated_at`.
 */
export async function findUnusedRotation(
  database: Queryable,
  { sessionId, userId, generation }: Omit<Refresh, 'address'>,
): Promise<SessionState | undefined> {
  const [row] = await database.query<SessionState>(sql`
    select id, user_id, generation, expires_at from sessions
    where id = ${sessionId} and user_id = ${userId} and generation = ${generation}::integer + 1 and expires_at > now()
      and (last_used_at = rotated_at or rotated_at > now() - make_interval(secs => ${REPEAT_SECONDS}))`)
  return row
}

/** Ends a session whose refresh token of this generation was used before. */
export async function deleteReusedSession(
  database: Queryable,
  { sessionId, userId, generation }: Omit<Refresh, 'address'>,
): Promise<boolean> {
  const rows = await database.query(sql`
    delete from sessions where id = ${sessionId} and user_id = ${userId} and generation > ${generation} returning id`)
  return rows.length > 0
}

export async function deleteSession(
  database: Queryable,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const rows = await database.query(
    sql`delete from sessions where id = ${sessionId} and user_id = ${userId} returning id`,
  )
  return rows.length > 0
}

/** Returns true for a session that exists and has not expired. */
export async function hasSession(database: Queryable, { userId, sessionId }: OwnSession): Promise<boolean> {
  const [session] = await database.query(sql`
    select from sessions where id = ${sessionId} and user_id = ${userId} and expires_at > now()`)
  return session !== undefined
}

export async function listSessions(
  database: Queryable,
  { userId, sessionId }: OwnSession,
): Promise<Session[]> {
  return database.query<Session>(sql`
    select id, device, address, id = ${sessionId} as current, created_at, last_used_at, expires_at
    from sessions where user_id = ${userId} and expires_at > now()
    order by last_used_at desc, id desc`)
}

/** Marks the address verified if it is still the user's. */
export async function markEmailVerified(
  database: Queryable,
  { user_id, email }: MailTokenOwner,
): Promise<CurrentUser | undefined> {
  const [user] = await database.query<CurrentUser>(sql`
    update users set email_verified = true, updated_at = now()
    where id = ${user_id} and lower(email) = lower(${email}) and deleted_at is null and locked_at is null
    returning id, username, alias, avatar, banner, custom, flags, badges, is_bot, email_verified, birthdate, phone,
      custom_until, ${webPresenceColumn}, created_at, updated_at, deleted_at`)
  return user
}

/**
 * Sets the password of the token's owner.
 * @returns the user's id; undefined if the user now has another address
 */
export async function updatePassword(
  database: Queryable,
  { user_id, email }: MailTokenOwner,
  passwordHash: string,
): Promise<string | undefined> {
  const [user] = await database.query<{ id: string }>(sql`
    update users set password_hash = ${passwordHash}
    where id = ${user_id} and lower(email) = lower(${email}) and deleted_at is null
    returning id`)
  return user?.id
}

/** Replaces the password unless it changed since it was checked. Returns true if it was replaced. */
export async function replacePassword(
  database: Queryable,
  { userId, oldHash, newHash }: { userId: string; oldHash: string | null; newHash: string },
): Promise<boolean> {
  const replaced = await database.query(sql`
    update users set password_hash = ${newHash}
    where id = ${userId} and password_hash is not distinct from ${oldHash}::text and deleted_at is null
    returning id`)
  return replaced.length > 0
}

export async function findEmail(database: Queryable, userId: string): Promise<string | undefined> {
  const [row] = await database.query<{ email: string }>(
    sql`select email from users where id = ${userId} and email is not null`,
  )
  return row?.email
}

/**
 * Locks the user, so that each change of the address notifies the address before it.
 * @returns false for an account that is deleted or locked by operators
 */
export async function lockEmail(transaction: Queryable, userId: string): Promise<boolean> {
  const found = await transaction.query(sql`
    select from users
    where id = ${userId} and email is not null and deleted_at is null and locked_at is null for no key update`)
  return found.length > 0
}

/** Sets the new address as verified: its owner received the token. */
export async function replaceEmail(
  database: Queryable,
  { user_id, email }: MailTokenOwner,
): Promise<CurrentUser> {
  const [user] = await database.query<CurrentUser>(sql`
    update users set email = ${email}, email_verified = true, updated_at = now() where id = ${user_id}
    returning id, username, alias, avatar, banner, custom, flags, badges, is_bot, email_verified, birthdate, phone,
      custom_until, ${webPresenceColumn}, created_at, updated_at, deleted_at`)
  if (user === undefined) throw new Error('the user is gone')
  return user
}

export interface MailRecipient {
  id: string
  username: string
  email: string
}

/** Finds the recipient of a mail. Bots and deleted accounts have no address, and accounts locked by operators get no links. */
export async function findMailRecipient(
  database: Queryable,
  userId: string,
): Promise<MailRecipient | undefined> {
  const [recipient] = await database.query<MailRecipient>(sql`
    select id, username, email from users
    where id = ${userId} and email is not null and deleted_at is null and locked_at is null`)
  return recipient
}

export async function findMailRecipientByEmail(
  database: Queryable,
  email: string,
): Promise<MailRecipient | undefined> {
  const [recipient] = await database.query<MailRecipient>(sql`
    select id, username, email from users
    where lower(email) = lower(${email}) and deleted_at is null and locked_at is null`)
  return recipient
}
