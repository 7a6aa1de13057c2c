import type { User } from '@foyer/protocol/users'
import type { Queryable } from '#src/kernel/database.ts'
import { sql } from '#src/kernel/sql.ts'

/** The users by id, those included whose account was deleted: their messages stay. */
export async function findUsers(database: Queryable, userIds: readonly string[]): Promise<User[]> {
  return database.query<User>(sql`
    select id, username, alias, avatar, banner, custom, flags, badges, is_bot, email_verified, created_at, updated_at,
      deleted_at
    from users where id = any(${userIds})`)
}
