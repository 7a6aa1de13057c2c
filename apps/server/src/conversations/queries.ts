import type { Queryable } from '#src/kernel/sql.ts'
import { sql } from '#src/kernel/sql.ts'

export interface ConversationRow {
  id: string
  type: number
  member_ids: string[]
}

export async function findConversation(
  database: Queryable,
  conversationId: string,
): Promise<ConversationRow | undefined> {
  const [row] = await database.query<ConversationRow>(sql`
    select id, type, array(
      select user_id from conversation_members where conversation_id = id order by user_id) as member_ids
    from conversations where id = ${conversationId}`)
  return row
}

/** Whether one of the users blocks another. */
export async function isBlocked(database: Queryable, userIds: readonly string[]): Promise<boolean> {
  const rows = await database.query(sql`
    select user_id from blocks where user_id = any(${userIds}) and blocked_id = any(${userIds}) limit 1`)
  return rows.length > 0
}
