import { idTime } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { TestServer } from '../server.ts'

interface Where {
  id: string
  general: string
}

/**
 * Makes a message older, with all rows that belong to it. Its time is part of its id, so the message gets a new id.
 * @returns the new id
 */
export async function makeOlder(
  server: TestServer,
  { id: spaceId, general: roomId }: Where,
  messageId: string,
  days: number,
): Promise<string> {
  const time = Math.round(idTime(messageId) - days * 86_400_000)
  const hex = time.toString(16).padStart(12, '0')
  const older = `${hex.slice(0, 8)}-${hex.slice(8)}${messageId.slice(13)}`
  await server.deps.database.transaction(async (transaction) => {
    // Locks the head of the room before its messages, as all writers do. Another order could cause a deadlock.
    await transaction.query(
      sql`select from message_heads where tenant_id = ${spaceId} and channel_id = ${roomId} for update`,
    )
    await transaction.query(sql`
      with files as (update attachments set message_id = ${older} where tenant_id = ${spaceId} and message_id = ${messageId}),
        reacted as (update reactions set message_id = ${older} where tenant_id = ${spaceId} and message_id = ${messageId}),
        counted as (
          update reaction_counts set message_id = ${older} where tenant_id = ${spaceId} and message_id = ${messageId}),
        pinned as (update pins set message_id = ${older} where tenant_id = ${spaceId} and message_id = ${messageId}),
        mentioned as (update mentions set message_id = ${older} where tenant_id = ${spaceId} and message_id = ${messageId}),
        indexed as (update message_words set id = ${older} where tenant_id = ${spaceId} and id = ${messageId}),
        head as (
          update message_heads set last_message_id = ${older}
          where tenant_id = ${spaceId} and channel_id = ${roomId} and last_message_id = ${messageId})
      update messages set id = ${older}, created_at = created_at - make_interval(days => ${days}::integer)
      where tenant_id = ${spaceId} and channel_id = ${roomId} and id = ${messageId}`)
  })
  return older
}
