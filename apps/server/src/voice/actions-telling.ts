import { joined, left } from '#src/calls/actions.ts'
import { type Place, topicOfChannel } from '#src/channels/place.ts'
import type { Transaction } from '#src/kernel/database.ts'
import { event } from '#src/kernel/events.ts'
import { findStateOf, type StateRow } from './queries.ts'

/** Those who view the place hear how the user is there now. */
export function tellState(transaction: Transaction, state: StateRow): void {
  transaction.publish(event(topicOfChannel(placeOf(state)), 'VOICE_STATE_UPDATE', state))
}

/** For a transaction that has written that the user came to a place, which it holds. */
export async function tellHere(transaction: Transaction, userId: string): Promise<StateRow> {
  const state = await findStateOf(transaction, userId)
  if (state === undefined) throw new Error('a voice state that was just written cannot be read')
  // Before the state: whoever closed the conversation has it listed again, and hears who is there.
  await joined(transaction, { userId, place: placeOf(state) })
  tellState(transaction, state)
  return state
}

/** For a transaction that has taken the state away, and holds its place. Who is lost, and did not leave, may come back. */
export async function tellLeft(transaction: Transaction, state: StateRow, isLost = false): Promise<void> {
  const place = placeOf(state)
  const gone = { ...state, room_id: null, conversation_id: null }
  transaction.publish(event(topicOfChannel(place), 'VOICE_STATE_UPDATE', gone))
  await left(transaction, { place, isLost })
}

export function placeOf({ tenant_id, channel_id }: StateRow): Place {
  return { tenantId: tenant_id, channelId: channel_id }
}
