import type { VoiceSignal } from '@foyer/protocol/voice'
import { channelOf, type Place } from '#src/channels/place.ts'
import { encodeEvent } from '#src/kernel/database/events.ts'
import { type Bus, type Event, topicOf } from '#src/kernel/journal/bus.ts'

/** Name on the bus for messages sent to clients as op 5. No client event has this name. */
export const VOICE_SIGNAL = 'VOICE_SIGNAL'

/** A signal and its user. */
export interface AddressedSignal {
  readonly userId: string
  readonly signal: VoiceSignal
}

/**
 * Sends unrequested signals to users' connections on all processes. They are transient: a disconnected client gets the
 * state when it joins again.
 */
export async function sendSignals(
  bus: Pick<Bus, 'emit'>,
  signals: readonly AddressedSignal[],
): Promise<void> {
  if (signals.length === 0) return
  await bus.emit(signals.map(({ userId, signal }) => passing(userId, VOICE_SIGNAL, JSON.stringify(signal))))
}

/** Sends the speakers of a place to everyone in it. The event is encoded once for all. */
export async function sendSpeaking(
  bus: Pick<Bus, 'emit'>,
  place: Place,
  { speakers, receivers }: { speakers: readonly string[]; receivers: readonly string[] },
): Promise<void> {
  const { room_id, conversation_id } = channelOf(place)
  const data = encodeEvent('VOICE_SPEAKING', { room_id, conversation_id, user_ids: [...speakers] })
  await bus.emit(receivers.map((userId) => passing(userId, 'VOICE_SPEAKING', data)))
}

function passing(userId: string, name: string, data: string): Event {
  return { id: undefined, topic: topicOf.user(userId), audience: 0, name, data }
}
