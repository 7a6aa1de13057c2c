import type { VoiceState } from '@foyer/protocol/voice'
import { type Topic, topicOf } from '#src/kernel/bus.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import { findVoiceStatesOf } from '#src/spaces/voice-states.ts'
import type { Connection } from './connection.ts'
import type { Frame } from './frames.ts'
import type { Listeners } from './listeners.ts'
import { frameOf } from './told-frames.ts'

/**
 * Tells those who came to hear a space who is in its voice now: between what they were told and their coming somebody may have
 * come or gone.
 * @param voices `told`, and those `present` while events of the space wait
 */
export function tellMissedVoices(
  listeners: Listeners,
  connections: Iterable<Connection>,
  { told, present }: { told: readonly VoiceState[]; present: readonly VoiceState[] },
): void {
  const gone = told.filter((state) => !present.some(({ user_id }) => user_id === state.user_id))
  const frames = [...present.map(frameOfState), ...gone.map(frameOfLeaving)]
  const topics = [...present, ...gone].map(topicOfState)
  for (const connection of connections) {
    const heard = frames.filter((_frame, index) => hears(listeners, connection, topics[index]))
    for (const frame of heard) connection.hear(frame, false)
  }
}

/**
 * Of users whose states may have been told late: where they are now. Replayed, a state that the client knows of would count as
 * new, and what ended it later as a duplicate.
 * @param late the data of their events
 * @param isHeard without what was given to the user since: that is told with who is there
 */
export async function framesOfLate(
  database: Queryable,
  late: readonly string[],
  isHeard: (topic: Topic) => boolean,
): Promise<Frame[]> {
  if (late.length === 0) return []
  const told = late.map((data): VoiceState => JSON.parse(data))
  const userIds = [...new Set(told.map(({ user_id }) => user_id))]
  const states = await findVoiceStatesOf(database, userIds)
  const shown = states.filter((state) => {
    const topic = topicOfState(state)
    return topic !== undefined && isHeard(topic)
  })
  const shownIds = new Set(shown.map(({ user_id }) => user_id))
  const gone = told.filter(({ user_id }) => !shownIds.has(user_id))
  return [...shown.map(frameOfState), ...gone.map(frameOfLeaving)]
}

function frameOfState(state: VoiceState): Frame {
  return frameOf('VOICE_STATE_UPDATE', state)
}

function frameOfLeaving(state: VoiceState): Frame {
  return frameOf('VOICE_STATE_UPDATE', { ...state, room_id: null, conversation_id: null })
}

/** Undefined for who is nowhere. */
function topicOfState({ space_id, room_id, conversation_id }: VoiceState): Topic | undefined {
  if (conversation_id !== null) return topicOf.conversation(conversation_id)
  return space_id === null || room_id === null ? undefined : topicOf.room(space_id, room_id)
}

function hears(listeners: Listeners, connection: Connection, topic: Topic | undefined): boolean {
  return topic !== undefined && listeners.hears(connection, { topic, audience: 0 })
}
