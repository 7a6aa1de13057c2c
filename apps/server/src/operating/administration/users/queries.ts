import { MAX_PAGE } from '@foyer/protocol/limits'
import type { OperatorUser, OperatorUsersQuery } from '@foyer/protocol/operators'
import type { User } from '@foyer/protocol/users'
import { UUID, WRITTEN_UUID } from '#src/kernel/ids.ts'
import { canonicalAddress } from '#src/kernel/mail/addresses.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { userColumns } from '#src/people/users/queries.ts'

interface Row extends User {
  is_operator: boolean
  has_second_factor: boolean
  has_passkeys: boolean
  locked_at: string | null
  lock_reason: string | null
}

const lockColumns = fragment`
  locked_at, lock_reason, exists (select from operators where user_id = users.id) as is_operator,
  exists (select from totp where user_id = users.id and secret is not null) as has_second_factor,
  exists (select from passkeys where user_id = users.id) as has_passkeys`

/** Finds users by id, by email address, or by the start of their username. Only addresses contain an @. */
export async function findUsersOf(
  database: Queryable,
  { query = '', locked = false, after, limit = MAX_PAGE }: OperatorUsersQuery,
): Promise<OperatorUser[]> {
  if (WRITTEN_UUID.test(query)) return present(await findById(database, query.toLowerCase(), locked))
  if (query.includes('@')) return present(await findByEmail(database, canonicalAddress(query), locked))
  const page = { start: startOf(query.toLowerCase()), locked, after, limit }
  return present(await findByName(database, page))
}

/** Returns one user; undefined for a deleted account. */
export async function findUserOf(database: Queryable, userId: string): Promise<OperatorUser | undefined> {
  const [user] = UUID.test(userId) ? present(await findById(database, userId, false)) : []
  return user
}

function findById(database: Queryable, id: string, locked: boolean): Promise<Row[]> {
  return database.query<Row>(sql`
    select ${userColumns}, ${lockColumns} from users
    where id = ${id} and deleted_at is null and (not ${locked}::boolean or locked_at is not null)`)
}

function findByEmail(database: Queryable, email: string, locked: boolean): Promise<Row[]> {
  return database.query<Row>(sql`
    select ${userColumns}, ${lockColumns} from users
    where lower(email) = lower(${email}) and deleted_at is null
      and (not ${locked}::boolean or locked_at is not null)`)
}

interface Page {
  /** A pattern for LIKE. */
  start: string
  locked: boolean
  after: string | undefined
  limit: number
}

/** Finds users by the start of their username, in bytewise order, which the index has and LIKE needs. */
function findByName(database: Queryable, { start, locked, after, limit }: Page): Promise<Row[]> {
  if (locked)
    return database.query<Row>(sql`
      select ${userColumns}, ${lockColumns} from users
      where locked_at is not null and deleted_at is null and lower(username) collate "C" like ${start}
        and (${after}::uuid is null or (lower(username) collate "C", id) >
          (select lower(username) collate "C", id from users where id = ${after}::uuid))
      order by lower(username) collate "C", id limit ${limit}`)
  return database.query<Row>(sql`
    select ${userColumns}, ${lockColumns} from users
    where deleted_at is null and lower(username) collate "C" like ${start}
      and (${after}::uuid is null or (lower(username) collate "C", id) >
        (select lower(username) collate "C", id from users where id = ${after}::uuid))
    order by lower(username) collate "C", id limit ${limit}`)
}

/** Returns a LIKE pattern for texts that begin with this one. */
export function startOf(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, '\\$&')}%`
}

function present(rows: readonly Row[]): OperatorUser[] {
  return rows.map(({ is_operator, has_second_factor, has_passkeys, locked_at, lock_reason, ...user }) => ({
    user,
    has_second_factor,
    has_passkeys,
    is_operator,
    locked_at,
    lock_reason,
  }))
}

/** @returns false for an account that was locked before */
export async function markLocked(
  transaction: Queryable,
  userId: string,
  reason: string | null,
): Promise<boolean> {
  const locked = await transaction.query(sql`
    update users set locked_at = now(), lock_reason = ${reason}
    where id = ${userId} and locked_at is null returning id`)
  return locked.length > 0
}

/** @returns false for an account that was not locked */
export async function markUnlocked(transaction: Queryable, userId: string): Promise<boolean> {
  const unlocked = await transaction.query(sql`
    update users set locked_at = null, lock_reason = null
    where id = ${userId} and locked_at is not null returning id`)
  return unlocked.length > 0
}

/** Returns the ids of the bots of the user's applications. */
export async function listBotIdsOf(database: Queryable, userId: string): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    sql`select id from applications where owner_id = ${userId} order by id`,
  )
  return rows.map(({ id }) => id)
}
