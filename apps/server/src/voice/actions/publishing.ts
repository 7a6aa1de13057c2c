import { joined, left } from '#src/calls/actions/calls.ts'
import { isConversation, type Place } from '#src/channels/place.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { type Topic, topicOf } from '#src/kernel/journal/bus.ts'
import { findStateOf, type StateRow } from '../queries.ts'

/** Publishes the user's new state to the viewers of the place. */
export function publishState(transaction: Transaction, state: StateRow): void {
  transaction.publish(event(topicAt(placeOf(state)), 'VOICE_STATE_UPDATE', state))
}

/** Publishes a join, in a transaction that has written the state and locked its place. */
export async function publishJoin(transaction: Transaction, userId: string): Promise<StateRow> {
  const state = await findStateOf(transaction, userId)
  if (state === undefined) throw new Error('a voice state that was just written cannot be read')
  // Called before the state is published: `joined` reopens the conversation for members who closed it, so they then receive the
  // state.
  await joined(transaction, { userId, place: placeOf(state) })
  publishState(transaction, state)
  return state
}

/**
 * Publishes that a user left, in a transaction that has deleted or moved the state and locked its old place.
 * @param isLost true if the connection was lost, so that the user may come back
 */
export async function publishLeave(transaction: Transaction, state: StateRow, isLost = false): Promise<void> {
  const place = placeOf(state)
  const gone = { ...state, room_id: null, conversation_id: null }
  transaction.publish(event(topicAt(place), 'VOICE_STATE_UPDATE', gone))
  await left(transaction, { place, isLost })
}

function topicAt(place: Place): Topic<'room' | 'conversation'> {
  const { tenantId, channelId } = place
  return isConversation(place) ? topicOf.conversation(channelId) : topicOf.room(tenantId, channelId)
}

export function placeOf({ tenant_id, channel_id }: StateRow): Place {
  return { tenantId: tenant_id, channelId: channel_id }
}
