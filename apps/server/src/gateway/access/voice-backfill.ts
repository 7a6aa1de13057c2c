import type { VoiceState } from '@foyer/protocol/voice'
import { type Topic, topicOf } from '#src/kernel/journal/bus.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { findVoiceStatesOf } from '#src/spaces/voice-states.ts'
import type { Connection } from '../connections/connection.ts'
import type { Frame } from '../connections/frames.ts'
import type { Listeners } from '../listeners/listeners.ts'
import { stateFrame } from './state-frames.ts'

/**
 * Sends new subscribers of a space its current voice states. Users may have joined or left voice since the state that the
 * subscribers were sent.
 * @param voices `sent`: the voice states that the subscribers were sent; `present`: the current ones, read while the
 * space's events are held
 */
export function dispatchVoiceStates(
  listeners: Listeners,
  connections: Iterable<Connection>,
  { sent, present }: { sent: readonly VoiceState[]; present: readonly VoiceState[] },
): void {
  const gone = sent.filter((state) => !present.some(({ user_id }) => user_id === state.user_id))
  const frames = [...present.map(frameOfState), ...gone.map(frameOfLeaving)]
  const topics = [...present, ...gone].map(topicOfState)
  for (const connection of connections) {
    const due = frames.filter((_frame, index) => mayReceive(listeners, connection, topics[index]))
    for (const frame of due) connection.dispatch(frame, false)
  }
}

/**
 * Returns the current voice states of users whose states may have been delivered late. The late events cannot be
 * replayed: a client that already knows a state would treat its event as new, and drop the event that ends it as a
 * duplicate.
 * @param late data of the late events
 * @param isSubscribed returns false for rooms gained since, because gaining a room sends its voice states
 */
export async function lateVoiceFrames(
  database: Queryable,
  late: readonly string[],
  isSubscribed: (topic: Topic) => boolean,
): Promise<Frame[]> {
  if (late.length === 0) return []
  const sent = late.map((data): VoiceState => JSON.parse(data))
  const userIds = [...new Set(sent.map(({ user_id }) => user_id))]
  const states = await findVoiceStatesOf(database, userIds)
  const shown = states.filter((state) => {
    const topic = topicOfState(state)
    return topic !== undefined && isSubscribed(topic)
  })
  const shownIds = new Set(shown.map(({ user_id }) => user_id))
  const gone = sent.filter(({ user_id }) => !shownIds.has(user_id))
  return [...shown.map(frameOfState), ...gone.map(frameOfLeaving)]
}

function frameOfState(state: VoiceState): Frame {
  return stateFrame('VOICE_STATE_UPDATE', state)
}

function frameOfLeaving(state: VoiceState): Frame {
  return stateFrame('VOICE_STATE_UPDATE', { ...state, room_id: null, conversation_id: null })
}

/** Returns the topic whose subscribers receive the voice state; undefined if the user is not in voice. */
function topicOfState({ space_id, room_id, conversation_id }: VoiceState): Topic | undefined {
  if (conversation_id !== null) return topicOf.conversation(conversation_id)
  return space_id === null || room_id === null ? undefined : topicOf.room(space_id, room_id)
}

function mayReceive(listeners: Listeners, connection: Connection, topic: Topic | undefined): boolean {
  return topic !== undefined && listeners.mayReceive(connection, { topic, audience: 0 })
}
