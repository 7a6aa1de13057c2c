import { topicOf } from '#src/kernel/bus.ts'
import type { Database } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { event } from '#src/kernel/events.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import { upsertReadState } from './queries.ts'

/** Notes that the caller has read the room up to this message: also backwards, which marks the rest unread. */
export async function ackMessage(
  { database }: { database: Database },
  access: RoomAccess,
  messageId: string,
): Promise<void> {
  const userId = access.caller.user.id
  const message = { tenantId: access.spaceId, channelId: access.room.id, id: messageId }
  await database.transaction(async (transaction) => {
    const state = await upsertReadState(transaction, userId, message)
    if (state === undefined) throw new ApiError('unknown_message')
    transaction.publish(event(topicOf.user(userId), 'MESSAGE_ACK', state))
  })
}
