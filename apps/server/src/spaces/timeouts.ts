import type { Timeout } from '@foyer/protocol/members'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

const columns = fragment`space_id, user_id, until, reason, moderator_id, created_at`

/** Returns the timeout of the user, if it has not ended. */
export async function findTimeout(
  database: Queryable,
  spaceId: string,
  userId: string,
): Promise<Timeout | undefined> {
  const [timeout] = await database.query<Timeout>(sql`
    select ${columns} from timeouts
    where space_id = ${spaceId} and user_id = ${userId} and until > now()`)
  return timeout
}

export type NewTimeout = Omit<Timeout, 'created_at'>

/** Sets or replaces the member's timeout. */
export async function saveTimeout(transaction: Queryable, timeout: NewTimeout): Promise<Timeout> {
  const { space_id, user_id, until, reason, moderator_id } = timeout
  const [saved] = await transaction.query<Timeout>(sql`
    with member as (
      update members set timeout_until = ${until} where space_id = ${space_id} and user_id = ${user_id}
    )
    insert into timeouts (space_id, user_id, until, reason, moderator_id)
    values (${space_id}, ${user_id}, ${until}, ${reason}, ${moderator_id})
    on conflict (space_id, user_id) do update set until = excluded.until, reason = excluded.reason,
      moderator_id = excluded.moderator_id, created_at = now()
    returning ${columns}`)
  if (saved === undefined) throw new Error('a timeout that was just saved cannot be read')
  return saved
}
