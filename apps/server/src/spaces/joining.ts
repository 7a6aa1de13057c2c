import type { Space } from '@foyer/protocol/spaces'
import { enqueueJob } from '#src/kernel/jobs.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'

export const POST_JOIN_MESSAGE = 'post_join_message'

/** Queues the join message in the transaction that adds the member, so that joining does not wait for it. */
export async function enqueueJoinMessage(
  transaction: Queryable,
  { id, system_room_id }: Pick<Space, 'id' | 'system_room_id'>,
  userId: string,
): Promise<void> {
  if (system_room_id === null) return
  const payload = { space_id: id, room_id: system_room_id, user_id: userId }
  await enqueueJob(transaction, POST_JOIN_MESSAGE, payload)
}
