import type { CurrentUser } from '@foyer/protocol/users'
import type { AccountChange, WayBack } from '@foyer/protocol/way-back'
import { hashToken, newToken } from '#src/kernel/ids.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { findCurrentUser } from '#src/people/users/queries.ts'
import type { MailRecipient, Origin } from '../queries.ts'
import { deleteSecondFactors, replaceRecoveryCodes } from '../second-factors/queries.ts'

const WAY_BACK_DAYS = 7

/** The settings that protected an account before a change. */
export interface Snapshot {
  id: number
  user_id: string
  email: string
  secret: Buffer | null
  last_period: number
  confirmed_at: string | null
  recovery_codes: string[]
  created_at: string
}

/** Locks and returns the owner of an account; undefined for a deleted account. */
export async function lockOwner(transaction: Queryable, userId: string): Promise<MailRecipient | undefined> {
  const [owner] = await transaction.query<MailRecipient>(sql`
    select id, username, email from users
    where id = ${userId} and email is not null and deleted_at is null for no key update`)
  return owner
}

interface NewSnapshot extends Origin {
  userId: string
  change: AccountChange
}

/**
 * Copies the rows of a user and an authenticator app. Both must be locked before: a statement that waits for the locks
 * itself would read old rows.
 */
export async function insertSnapshot(transaction: Queryable, snapshot: NewSnapshot): Promise<number> {
  const { userId, change, device, address } = snapshot
  const [row] = await transaction.query<{ id: number }>(sql`
    insert into account_snapshots
      (user_id, change, device, address, email, secret, last_period, confirmed_at, recovery_codes, expires_at)
    select users.id, ${change}, ${device}, ${address}, email, secret, coalesce(last_period, 0), confirmed_at,
      array(select mac from recovery_codes where user_id = users.id), now() + make_interval(days => ${WAY_BACK_DAYS})
    from users left join totp on totp.user_id = users.id
    where users.id = ${userId}
    returning id`)
  if (row === undefined) throw new Error('a locked user has no snapshot')
  return row.id
}

/** A change to mail, with the address that the account had before it. */
export interface MailedChange extends Origin {
  username: string
  email: string
  change: AccountChange
  created_at: string
  token: string
}

/** Creates the token for the mail, replacing the token of an earlier attempt. Locked accounts get no links. */
export async function createWayBackToken(
  database: Queryable,
  snapshotId: number,
): Promise<MailedChange | undefined> {
  const token = newToken()
  const [row] = await database.query<Omit<MailedChange, 'token'>>(sql`
    update account_snapshots set token_hash = ${hashToken(token)}
    from users
    where account_snapshots.id = ${snapshotId} and users.id = user_id
      and deleted_at is null and locked_at is null and expires_at > now()
    returning username, account_snapshots.email, change, device, address, account_snapshots.created_at`)
  return row && { ...row, token }
}

/** Returns the account of a valid token. */
export async function findWayBackOwner(database: Queryable, token: string): Promise<string | undefined> {
  const [row] = await database.query<{ user_id: string }>(sql`
    select user_id from account_snapshots where token_hash = ${hashToken(token)} and expires_at > now()`)
  return row?.user_id
}

/** Maximum changes shown: enough to recognize the incident. */
const MAX_SHOWN = 100

type ShownChange = WayBack['changes'][number] & Pick<WayBack, 'username' | 'expires_at'>

/** Returns the changes that the token undoes: its own and the later ones. */
export async function findWayBack(database: Queryable, token: string): Promise<WayBack | undefined> {
  const rows = await database.query<ShownChange>(sql`
    select username, later.change, later.device, later.address, later.created_at, given.expires_at
    from account_snapshots as given
    join users on users.id = given.user_id
    join account_snapshots as later on later.user_id = given.user_id and later.id >= given.id
    where given.token_hash = ${hashToken(token)} and given.expires_at > now()
    order by later.id limit ${MAX_SHOWN}`)
  const [first] = rows
  if (first === undefined) return undefined
  const changes = rows.map(({ change, device, address, created_at }) => {
    return { change, device, address, created_at }
  })
  return { username: first.username, changes, expires_at: first.expires_at }
}

/** Spends the token. Deletes its snapshot and the account's later ones, because their changes are undone as well. */
export async function spendWayBack(transaction: Queryable, token: string): Promise<Snapshot | undefined> {
  const [snapshot] = await transaction.query<Snapshot>(sql`
    with given as (
        select id, user_id from account_snapshots
        where token_hash = ${hashToken(token)} and expires_at > now()),
      spent as (
        delete from account_snapshots using given
        where account_snapshots.user_id = given.user_id and account_snapshots.id >= given.id
        returning account_snapshots.*)
    select spent.id, spent.user_id, email, secret, last_period, confirmed_at, recovery_codes,
      spent.created_at
    from spent join given using (id)`)
  return snapshot
}

/** Restores the address, and sets the password. The address counts as verified: its owner received the link. */
export async function restoreUser(
  transaction: Queryable,
  { user_id, email }: Snapshot,
  passwordHash: string,
): Promise<CurrentUser | undefined> {
  await transaction.query(sql`
    update users set email = ${email}, email_verified = true, password_hash = ${passwordHash}, updated_at = now()
    where id = ${user_id}`)
  return findCurrentUser(transaction, user_id)
}

/** Restores the authenticator app. Codes that were used since stay used. */
export async function restoreTotp(transaction: Queryable, snapshot: Snapshot): Promise<void> {
  const { user_id, secret, last_period, confirmed_at, recovery_codes } = snapshot
  if (secret === null) return deleteSecondFactors(transaction, user_id)
  await transaction.query(sql`
    insert into totp (user_id, secret, last_period, confirmed_at)
    values (${user_id}, ${secret}, ${last_period}, ${confirmed_at})
    on conflict (user_id) do update
    set secret = excluded.secret, pending = null, confirmed_at = excluded.confirmed_at,
      last_period = greatest(totp.last_period, excluded.last_period)`)
  await replaceRecoveryCodes(transaction, user_id, recovery_codes)
}

/**
 * Removes the passkeys that were added, and the identities that were linked, with the change or later.
 * @returns the issuers of these identities
 */
export async function removeLaterKeys(
  transaction: Queryable,
  { user_id, created_at }: Snapshot,
): Promise<string[]> {
  const unlinked = await transaction.query<{ issuer: string }>(sql`
    with removed as (
      delete from passkeys where user_id = ${user_id} and created_at >= ${created_at}::timestamptz)
    delete from identities where user_id = ${user_id} and created_at >= ${created_at}::timestamptz
    returning issuer`)
  return unlinked.map(({ issuer }) => issuer)
}

/** Deletes a lost app from the snapshots: restoring it would lock its owner out. */
export async function forgetTotp(transaction: Queryable, userId: string): Promise<void> {
  await transaction.query(sql`
    update account_snapshots set secret = null, confirmed_at = null, recovery_codes = '{}'
    where user_id = ${userId}`)
}
