import type { ReadState } from '@foyer/protocol/messages'
import type { Queryable } from '#src/kernel/sql.ts'
import { sql } from '#src/kernel/sql.ts'

interface ReadStateRow {
  tenant_id: string
  channel_id: string
  last_read_seq: number
  mention_count: number
}

/** How far the user has read, room by room; a room that is not here was never read. */
export async function listReadStates(database: Queryable, userId: string): Promise<ReadState[]> {
  const rows = await database.query<ReadStateRow>(sql`
    select tenant_id, channel_id, last_read_seq, mention_count from read_states
    where user_id = ${userId} order by channel_id`)
  return rows.map(asReadState)
}

/**
 * Moves the user's read state to a message, forwards or backwards. Past the newest message that is left there is nothing
 * to read: what was deleted after it does not keep the room unread.
 * @returns undefined when there is no such message
 */
export async function upsertReadState(
  database: Queryable,
  userId: string,
  message: { tenantId: string; channelId: string; id: string },
): Promise<ReadState | undefined> {
  const [row] = await database.query<ReadStateRow>(sql`
    insert into read_states as state (user_id, tenant_id, channel_id, last_read_seq)
    select ${userId}, tenant_id, channel_id, case when last_message_id = id then last_seq else seq end
    from messages join message_heads using (tenant_id, channel_id)
    where tenant_id = ${message.tenantId} and channel_id = ${message.channelId} and id = ${message.id}
    on conflict (user_id, channel_id) do update
      set last_read_seq = excluded.last_read_seq, mention_count = 0, updated_at = now()
    returning tenant_id, channel_id, last_read_seq, mention_count`)
  return row && asReadState(row)
}

function asReadState({ tenant_id, channel_id, ...state }: ReadStateRow): ReadState {
  const isConversation = tenant_id === channel_id
  return {
    ...state,
    room_id: isConversation ? null : channel_id,
    conversation_id: isConversation ? channel_id : null,
  }
}
