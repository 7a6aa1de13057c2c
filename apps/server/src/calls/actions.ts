import { CALL_RING_SECONDS } from '@foyer/protocol/voice'
import { isConversation, type Place } from '#src/channels/place.ts'
import type { ConversationAccess } from '#src/conversations/access.ts'
import { listFor, readConversation } from '#src/conversations/actions-listing.ts'
import { lockConversation, markOpen } from '#src/conversations/change-queries.ts'
import { findConversationRow } from '#src/conversations/queries.ts'
import { topicOf } from '#src/kernel/bus.ts'
import type { Database, Transaction } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { event } from '#src/kernel/events.ts'
import { publishRinging, stopRinging } from './actions-ringing.ts'
import { enqueueEnd, enqueueQuiet, enqueueRecord } from './enqueueing.ts'
import {
  addParticipant,
  deleteCall,
  insertCall,
  listPresent,
  listRingable,
  lockCall,
  saveRinging,
} from './queries.ts'

/** Somebody who is in the voice of a place now. */
export interface Arrival {
  readonly userId: string
  readonly place: Place
}

/** Somebody who was there until now. */
export interface Departure {
  readonly place: Place
  /** They did not leave: a server has lost them, and they come back by themselves. */
  readonly isLost?: boolean
}

/**
 * Whoever comes first begins a call. To be called in the transaction that changes voice states, once they say that the user
 * is there; for a room, and for who is there already, it does nothing.
 * @throws ApiError 404 for who has left the conversation meanwhile
 */
export async function joined(transaction: Transaction, { userId, place }: Arrival): Promise<void> {
  if (!isConversation(place)) return
  const id = place.channelId
  // Who comes to a conversation, or leaves it, waits: they hear of a call either now or with the conversation.
  await lockConversation(transaction, id)
  const row = await findConversationRow(transaction, id)
  if (row === undefined || !row.memberIds.includes(userId)) throw new ApiError('unknown_conversation')
  if ((await lockCall(transaction, id)) === undefined) return beginCall(transaction, id, userId)
  await addParticipant(transaction, id, userId)
  await stopRinging(transaction, id, userId)
}

/**
 * Whoever leaves last ends the call, and it is told in a message. To be called in the transaction that changes voice states,
 * once they say that the user is there no more; for a room it does nothing. Who leaves several places does so in the order of
 * their ids. A call that was answered is held open for those who are lost.
 */
export async function left(transaction: Transaction, { place, isLost = false }: Departure): Promise<void> {
  if (!isConversation(place)) return
  const id = place.channelId
  // Of two who leave at once the second sees, in a statement of its own, that the first is gone.
  const call = await lockCall(transaction, id)
  if (call === undefined || (await listPresent(transaction, id)).length > 0) return
  if (isLost && call.participant_ids.length > 1) await enqueueEnd(transaction, id)
  else await endCall(transaction, id)
}

/** Nobody came back. */
export async function endAbandoned(transaction: Transaction, id: string): Promise<void> {
  await left(transaction, { place: { tenantId: id, channelId: id } })
}

/** On all devices of the caller. What does not ring, or no longer, stays as it is. */
export async function declineCall(
  { database }: { database: Database },
  { id, caller }: ConversationAccess,
): Promise<void> {
  await database.transaction((transaction) => stopRinging(transaction, id, caller.user.id))
}

/**
 * Rings once more for all who are not there, also for who declined.
 * @throws ApiError 404 where there is no call, 403 for who is not in it
 */
export async function ringAgain(
  { database }: { database: Database },
  { id, caller }: ConversationAccess,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockConversation(transaction, id)
    if ((await lockCall(transaction, id)) === undefined) throw new ApiError('unknown_call')
    const present = await listPresent(transaction, id)
    if (!present.includes(caller.user.id)) throw new ApiError('not_in_call')
    const ringable = await listRingable(transaction, id, caller.user.id)
    const userIds = ringable.filter((userId) => !present.includes(userId))
    if (userIds.length === 0) return
    publishRinging(transaction, await saveRinging(transaction, id, { userIds, seconds: CALL_RING_SECONDS }))
    await enqueueQuiet(transaction, id)
  })
}

async function beginCall(transaction: Transaction, id: string, userId: string): Promise<void> {
  // Whoever closed the conversation has it listed again: nobody else hears what happens in it.
  const reopenedFor = await markOpen(transaction, id, null)
  if (reopenedFor.length > 0) listFor(transaction, reopenedFor, await readConversation(transaction, id))
  const userIds = await listRingable(transaction, id, userId)
  const call = await insertCall(transaction, id, userId, { userIds, seconds: CALL_RING_SECONDS })
  transaction.publish(event(topicOf.conversation(id), 'CALL_CREATE', call))
  if (userIds.length > 0) await enqueueQuiet(transaction, id)
}

async function endCall(transaction: Transaction, id: string): Promise<void> {
  const ended = await deleteCall(transaction, id)
  if (ended === undefined) return
  transaction.publish(event(topicOf.conversation(id), 'CALL_DELETE', { conversation_id: id }))
  await enqueueRecord(transaction, id, ended)
}
