import type { Block } from '@foyer/protocol/friends'
import type { User } from '@foyer/protocol/users'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/**
 * Lists the user's blocks, oldest first.
 * @param blockedIds users to look at; null for all
 */
export async function listBlocks(
  database: Queryable,
  userId: string,
  blockedIds: readonly string[] | null = null,
): Promise<Block[]> {
  const rows = await database.query<User & { since: string }>(sql`
    select blocks.created_at as since, id, username, alias, avatar, banner, custom, flags, badges, is_bot,
      email_verified, users.created_at, updated_at, deleted_at
    from blocks join users on id = blocked_id
    where user_id = ${userId} and (${blockedIds}::uuid[] is null or blocked_id = any(${blockedIds}::uuid[]))
    order by since, id`)
  return rows.map(({ since, ...user }) => ({ user, since }))
}

export async function countBlocks(transaction: Queryable, userId: string): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(
    sql`select count(*) from blocks where user_id = ${userId}`,
  )
  return row?.count ?? 0
}

/** @returns the time of the block */
export async function insertBlock(
  transaction: Queryable,
  userId: string,
  blockedId: string,
): Promise<string> {
  const [block] = await transaction.query<{ since: string }>(sql`
    insert into blocks (user_id, blocked_id) values (${userId}, ${blockedId}) returning created_at as since`)
  if (block === undefined) throw new Error('the block was not inserted')
  return block.since
}

/** Returns false if there was no block. */
export async function deleteBlock(
  transaction: Queryable,
  userId: string,
  blockedId: string,
): Promise<boolean> {
  const deleted = await transaction.query(sql`
    delete from blocks where user_id = ${userId} and blocked_id = ${blockedId} returning user_id`)
  return deleted.length > 0
}

/**
 * Deletes blocks by the user and against the user.
 * @returns the ids of the users who blocked the user
 */
export async function deleteBlocksOf(transaction: Queryable, userId: string): Promise<string[]> {
  const rows = await transaction.query<{ user_id: string }>(sql`
    with gone as (
      delete from blocks where user_id = ${userId} or blocked_id = ${userId}
      returning user_id
    )
    select user_id from gone where user_id <> ${userId} order by user_id`)
  return rows.map((row) => row.user_id)
}
