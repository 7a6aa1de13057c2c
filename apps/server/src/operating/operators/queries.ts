import type { Operator } from '@foyer/protocol/operators'
import { UserFlag } from '@foyer/protocol/user-flags'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { findUsers } from '#src/people/users/queries.ts'

export async function isOperator(database: Queryable, userId: string): Promise<boolean> {
  const found = await database.query(sql`select from operators where user_id = ${userId}`)
  return found.length > 0
}

export async function hasOperators(database: Queryable): Promise<boolean> {
  const found = await database.query(sql`select from operators limit 1`)
  return found.length > 0
}

export async function listOperatorIds(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ user_id: string }>(sql`select user_id from operators order by user_id`)
  return rows.map(({ user_id }) => user_id)
}

/** Keeps the user an operator until the transaction ends. Returns false if the user is not an operator. */
export async function keepOperator(transaction: Queryable, userId: string): Promise<boolean> {
  const found = await transaction.query(sql`select from operators where user_id = ${userId} for share`)
  return found.length > 0
}

/** Serializes changes of operators. Callers lock users before this. */
export async function lockOperators(transaction: Queryable): Promise<void> {
  await transaction.query(sql`select pg_advisory_xact_lock(hashtextextended('foyer operators', 0))`)
}

export async function isOtherOperator(transaction: Queryable, userId: string): Promise<boolean> {
  const found = await transaction.query(sql`select from operators where user_id <> ${userId} limit 1`)
  return found.length > 0
}

/**
 * Makes the user an operator, and sets the flag that shows this to clients.
 * @returns false if the user was already an operator
 */
export async function insertOperator(
  transaction: Queryable,
  userId: string,
  grantedBy: string | null,
): Promise<boolean> {
  const inserted = await transaction.query(sql`
    with operator as (
      insert into operators (user_id, granted_by) values (${userId}, ${grantedBy})
      on conflict do nothing returning user_id
    )
    update users set flags = flags | ${UserFlag.Staff}::integer, updated_at = now()
    where id in (select user_id from operator)
    returning id`)
  return inserted.length > 0
}

/** @returns false for a user who was not an operator */
export async function deleteOperator(transaction: Queryable, userId: string): Promise<boolean> {
  const deleted = await transaction.query(sql`
    with operator as (delete from operators where user_id = ${userId} returning user_id)
    update users set flags = flags & ~${UserFlag.Staff}::integer, updated_at = now()
    where id in (select user_id from operator)
    returning id`)
  return deleted.length > 0
}

/** Lists operators in the order of their appointment. */
export async function listOperators(database: Queryable): Promise<Operator[]> {
  const rows = await database.query<Omit<Operator, 'user'> & { user_id: string }>(sql`
    select user_id, granted_by, created_at from operators order by created_at, user_id`)
  const users = await findUsers(
    database,
    rows.map(({ user_id }) => user_id),
  )
  return rows.flatMap(({ user_id, ...row }) => {
    const user = users.find(({ id }) => id === user_id)
    return user === undefined ? [] : [{ ...row, user }]
  })
}

/** Returns whether operators locked the account. */
export async function isLocked(database: Queryable, userId: string): Promise<boolean> {
  const found = await database.query(sql`select from users where id = ${userId} and locked_at is not null`)
  return found.length > 0
}
