import type { VoiceSignal } from '@foyer/protocol/voice'
import { channelOf, type Place } from '#src/channels/place.ts'
import { type Bus, type Event, topicOf } from '#src/kernel/bus.ts'
import { encodeEvent } from '#src/kernel/events.ts'

/** As the bus names what connections are sent as op 5: no event of clients has this name. */
export const VOICE_SIGNAL = 'VOICE_SIGNAL'

/** A signal for a user, and the user. */
export interface AddressedSignal {
  readonly userId: string
  readonly signal: VoiceSignal
}

/**
 * Tells users' connections, wherever they are, what they did not ask for. It passes without trace: whoever is away finds
 * out when they join again.
 */
export async function tellSignals(
  bus: Pick<Bus, 'emit'>,
  signals: readonly AddressedSignal[],
): Promise<void> {
  if (signals.length === 0) return
  await bus.emit(signals.map(({ userId, signal }) => passing(userId, VOICE_SIGNAL, JSON.stringify(signal))))
}

/** Tells those who are in a place who speaks there. Encoded once. */
export async function tellSpeaking(
  bus: Pick<Bus, 'emit'>,
  place: Place,
  { speakers, hearers }: { speakers: readonly string[]; hearers: readonly string[] },
): Promise<void> {
  const { room_id, conversation_id } = channelOf(place)
  const data = encodeEvent('VOICE_SPEAKING', { room_id, conversation_id, user_ids: [...speakers] })
  await bus.emit(hearers.map((userId) => passing(userId, 'VOICE_SPEAKING', data)))
}

function passing(userId: string, name: string, data: string): Event {
  return { id: undefined, topic: topicOf.user(userId), audience: 0, name, data }
}
