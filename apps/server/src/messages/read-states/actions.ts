import type { ReadState } from '@foyer/protocol/messages'
import type { ChannelAccess } from '#src/channels/access.ts'
import { channelOf, type Place } from '#src/channels/place.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { publishFollow } from '#src/thread-rooms/actions/follows.ts'
import { advanceReadState, listReadStates, upsertReadState } from './queries.ts'

/** Marks the channel read up to this message. An earlier message than before makes later messages unread again. */
export async function ackMessage(
  { database }: { database: Database },
  access: ChannelAccess,
  messageId: string,
): Promise<void> {
  const userId = access.caller.user.id
  await database.transaction(async (transaction) => {
    const isThere = await upsertReadState(transaction, userId, access.place, messageId)
    if (!isThere) throw new ApiError('unknown_message')
    if (access.place.parentId !== undefined)
      return void (await publishFollow(transaction, access.place, userId))
    const state = await findReadState(transaction, access)
    transaction.publish(event(topicOf.user(userId), 'MESSAGE_ACK', state))
  })
}

/** Marks a message read if everything others sent before it is read. Otherwise it stays unread. */
export async function markReadIfCaughtUp(
  { database }: { database: Database },
  { userId, place }: { userId: string; place: Place },
  seq: number,
): Promise<void> {
  await database.transaction(async (transaction) => {
    if (!(await advanceReadState(transaction, userId, place, seq))) return
    const [state] = await listReadStates(transaction, userId, [place])
    if (state !== undefined) transaction.publish(event(topicOf.user(userId), 'MESSAGE_ACK', state))
  })
}

/** Returns how far the caller has read. A channel without messages is read. */
export async function findReadState(database: Queryable, access: ChannelAccess): Promise<ReadState> {
  const { place, caller } = access
  const [state] = await listReadStates(database, caller.user.id, [place])
  const { room_id, conversation_id } = channelOf(place)
  return state ?? { room_id, conversation_id, last_read_seq: 0, unread_count: 0, mention_count: 0 }
}
