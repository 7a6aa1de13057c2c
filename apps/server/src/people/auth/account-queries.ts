import { foldName } from '@foyer/protocol/words'
import { ApiError } from '#src/kernel/errors.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { isUniqueViolation } from '#src/kernel/sql/unique-violation.ts'

export interface NewAccount {
  id: string
  username: string
  email: string
  /** Null for an account without a password, which logs in by a sign-in provider. */
  passwordHash: string | null
  alias: string | null
  birthdate: string | null
  /** False, unless a provider has verified the address. */
  isEmailVerified?: boolean
  /** Identity that is linked to the new account. */
  identity?: NewIdentity | null
}

/** An account at a sign-in provider. */
export interface NewIdentity {
  issuer: string
  subject: string
  /** Username at the provider. */
  name: string | null
}

/**
 * Serializes the creation of accounts and applications, so that only one account is the first, and no name is given
 * twice.
 */
export async function lockAccounts(transaction: Queryable): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(hashtextextended('foyer accounts', 0))`)
}

/** Returns true if the server has no account and never had one. */
export async function isWithoutAccounts(transaction: Queryable): Promise<boolean> {
  const found = await transaction.query(sql`select from users limit 1`)
  return found.length === 0
}

export async function insertAccount(database: Queryable, account: NewAccount): Promise<void> {
  await database.query(sql`
    insert into users (id, username, email, password_hash, alias, alias_key, birthdate, email_verified)
    values (${account.id}, ${account.username}, ${account.email}, ${account.passwordHash}, ${account.alias},
      ${account.alias && foldName(account.alias)}, ${account.birthdate}, ${account.isEmailVerified ?? false})`)
  if (account.identity) await insertIdentity(database, account.id, account.identity)
}

/**
 * Inserts the identity. Unique indexes refuse an identity that another account has, and a second identity of the same
 * provider.
 */
export async function insertIdentity(
  transaction: Queryable,
  userId: string,
  { issuer, subject, name }: NewIdentity,
): Promise<void> {
  await transaction.query(sql`
    insert into identities (issuer, subject, user_id, name) values (${issuer}, ${subject}, ${userId}, ${name})`)
}

/**
 * Returns the error for a username or an address that another account or application has; the username's error if both
 * are taken.
 */
export async function findTaken(
  database: Queryable,
  { username, email }: Pick<NewAccount, 'username' | 'email'>,
): Promise<'username_taken' | 'email_taken' | undefined> {
  const [row] = await database.query<{ username: boolean; email: boolean }>(sql`
    select exists (select from users where lower(username) = lower(${username})
        union all select from registrations where lower(username) = lower(${username})) as username,
      exists (select from users where lower(email) = lower(${email})
        union all select from registrations where lower(email) = lower(${email})) as email`)
  if (row?.username) return 'username_taken'
  return row?.email ? 'email_taken' : undefined
}

/**
 * Translates a violation of a unique index: another account or application has taken the name, the address or the
 * identity in the meantime.
 * @throws ApiError 400 or 403, or the error itself if it is another one
 */
export function refuseTaken(error: unknown): never {
  if (isUniqueViolation(error, 'users_username')) throw new ApiError('username_taken')
  if (isUniqueViolation(error, 'users_email')) throw new ApiError('email_taken')
  if (isUniqueViolation(error, 'identities_pkey')) throw new ApiError('identity_taken')
  if (isUniqueViolation(error, 'identities_user')) throw new ApiError('provider_linked')
  if (isUniqueViolation(error, 'registrations_identity')) throw new ApiError('approval_pending')
  throw error
}
