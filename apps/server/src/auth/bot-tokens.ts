import { hashToken, newToken } from '#src/kernel/ids.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import { sql } from '#src/kernel/sql.ts'

/**
 * Gives a bot its token, in place of an older one; only the hash is kept. `publishSessionEnd`
 * makes the older one useless at once.
 * @returns the token, for `Authorization: Bot <token>`
 */
export async function createBotToken(transaction: Queryable, userId: string): Promise<string> {
  const token = `${userId}.${newToken()}`
  await transaction.query(sql`
    insert into bot_tokens (user_id, token_hash) values (${userId}, ${hashToken(token)})
    on conflict (user_id) do update set token_hash = excluded.token_hash`)
  return token
}
