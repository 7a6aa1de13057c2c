import { CALL_RING_SECONDS } from '@foyer/protocol/voice'
import { isConversation, type Place } from '#src/channels/place.ts'
import type { ConversationAccess } from '#src/conversations/access.ts'
import { listFor, readConversation } from '#src/conversations/actions/listing.ts'
import { lockConversation, markOpen } from '#src/conversations/change-queries.ts'
import { findConversationRow } from '#src/conversations/queries.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { enqueueEnd, enqueueQuiet, enqueueRecord } from '../enqueueing.ts'
import {
  addParticipant,
  deleteCall,
  insertCall,
  listPresent,
  listRingable,
  lockCall,
  saveRinging,
} from '../queries.ts'
import { publishRinging, stopRinging } from './ringing.ts'

/** A user who is now in voice in a place. */
export interface Arrival {
  readonly userId: string
  readonly place: Place
}

/** A user who has just left voice. */
export interface Departure {
  readonly place: Place
  /** True if the connection was lost, so that the user may come back. */
  readonly isLost?: boolean
}

/**
 * Starts a call with the first user, or adds the user to it. Runs in the transaction that changes voice states, after
 * the change. Does nothing for a room, or for a user already in the call.
 * @throws ApiError 404 for a user who has left the conversation
 */
export async function joined(transaction: Transaction, { userId, place }: Arrival): Promise<void> {
  if (!isConversation(place)) return
  const id = place.channelId
  // Blocks changes of members until the transaction ends: a member added later is sent the call with the conversation.
  await lockConversation(transaction, id)
  const row = await findConversationRow(transaction, id)
  if (row === undefined || !row.memberIds.includes(userId)) throw new ApiError('unknown_conversation')
  if ((await lockCall(transaction, id)) === undefined) return beginCall(transaction, id, userId)
  await addParticipant(transaction, id, userId)
  await stopRinging(transaction, id, userId)
}

/**
 * Ends the call when the last user leaves, and enqueues its message. Runs in the transaction that changes voice states,
 * after the change. Does nothing for a room. A call that had several participants is kept for a while if the last of them
 * lost the connection. Departures from several places must be handled in the order of the places' ids, to avoid deadlocks.
 */
export async function left(transaction: Transaction, { place, isLost = false }: Departure): Promise<void> {
  if (!isConversation(place)) return
  const id = place.channelId
  // The lock orders simultaneous departures: the statement of the second user sees that the first has left.
  const call = await lockCall(transaction, id)
  if (call === undefined || (await listPresent(transaction, id)).length > 0) return
  if (isLost && call.participant_ids.length > 1) await enqueueEnd(transaction, id)
  else await endCall(transaction, id)
}

/** Ends a call to which no user returned. */
export async function endAbandoned(transaction: Transaction, id: string): Promise<void> {
  await left(transaction, { place: { tenantId: id, channelId: id } })
}

/** Declines the call on all devices of the caller. Does nothing if it is not ringing for the caller. */
export async function declineCall(
  { database }: { database: Database },
  { id, caller }: ConversationAccess,
): Promise<void> {
  await database.transaction((transaction) => stopRinging(transaction, id, caller.user.id))
}

/**
 * Rings again for everyone who is not in the call, including those who declined.
 * @throws ApiError 404 without a call, 403 for a caller who is not in it
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
  // Reopens the conversation for members who closed it: they would not get its events otherwise.
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
