import { hashToken, newToken } from '#src/kernel/ids.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { sql } from '#src/kernel/sql/sql.ts'

/**
 * Creates a bot's token, replacing an older one, and stores only its hash. The caller ends the connections of the older
 * token with `publishSessionEnd`.
 * @returns the token, for `Authorization: Bot <token>`
 */
export async function createBotToken(transaction: Queryable, userId: string): Promise<string> {
  const token = `${userId}.${newToken()}`
  await transaction.query(sql`
    insert into bot_tokens (user_id, token_hash) values (${userId}, ${hashToken(token)})
    on conflict (user_id) do update set token_hash = excluded.token_hash`)
  return token
}
