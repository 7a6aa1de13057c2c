import type { Ban, ListBansQuery } from '@foyer/protocol/bans'
import { LEAST_ID } from '@foyer/protocol/ids'
import { MAX_BANS_PAGE } from '@foyer/protocol/limits'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { findUsers } from '#src/people/users/queries.ts'

type BanRow = Omit<Ban, 'user'>

/** Lists a page of bans by user id. */
export async function listBans(
  database: Queryable,
  spaceId: string,
  { after = LEAST_ID, limit = MAX_BANS_PAGE }: ListBansQuery,
): Promise<Ban[]> {
  const rows = await database.query<BanRow>(sql`
    select space_id, user_id, reason, banned_by, created_at
    from bans where space_id = ${spaceId} and user_id > ${after}
    order by user_id limit ${limit}`)
  return withUsers(database, rows)
}

export async function findBan(
  database: Queryable,
  spaceId: string,
  userId: string,
): Promise<Ban | undefined> {
  const rows = await database.query<BanRow>(sql`
    select space_id, user_id, reason, banned_by, created_at
    from bans where space_id = ${spaceId} and user_id = ${userId}`)
  const [ban] = await withUsers(database, rows)
  return ban
}

export type NewBan = Pick<Ban, 'space_id' | 'user_id' | 'reason' | 'banned_by'>

/** @returns false if the user is already banned; that ban is not changed */
export async function saveBan(transaction: Queryable, ban: NewBan): Promise<boolean> {
  const saved = await transaction.query(sql`
    insert into bans (space_id, user_id, reason, banned_by)
    values (${ban.space_id}, ${ban.user_id}, ${ban.reason}, ${ban.banned_by})
    on conflict (space_id, user_id) do update set reason = excluded.reason, banned_by = excluded.banned_by
      where (bans.reason, bans.banned_by) is distinct from (excluded.reason, excluded.banned_by)
    returning user_id`)
  return saved.length > 0
}

/** Bans the users who are not banned yet, and returns their bans. */
export async function insertBans(
  transaction: Queryable,
  spaceId: string,
  userIds: readonly string[],
  bannedBy: string,
): Promise<Ban[]> {
  const rows = await transaction.query<BanRow>(sql`
    insert into bans (space_id, user_id, banned_by)
    select ${spaceId}, user_id, ${bannedBy} from unnest(${userIds}::uuid[]) as given (user_id)
    on conflict (space_id, user_id) do nothing
    returning space_id, user_id, reason, banned_by, created_at`)
  return withUsers(transaction, rows)
}

export async function deleteBanRow(transaction: Queryable, spaceId: string, userId: string): Promise<void> {
  await transaction.query(sql`delete from bans where space_id = ${spaceId} and user_id = ${userId}`)
}

async function withUsers(database: Queryable, rows: readonly BanRow[]): Promise<Ban[]> {
  const users = await findUsers(
    database,
    rows.map((row) => row.user_id),
  )
  const userById = new Map(users.map((user) => [user.id, user]))
  return rows.flatMap((row) => {
    const user = userById.get(row.user_id)
    return user ? [{ ...row, user }] : []
  })
}
