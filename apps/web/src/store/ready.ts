import type { Events } from '@foyer/protocol/events'
import { callsOf } from './calls.ts'
import { isKnownChannel } from './channels.ts'
import { withConversations } from './conversations.ts'
import { waitingSpacesOf } from './door.ts'
import { withRelations } from './friends.ts'
import { readStatesOf } from './messages/read-states.ts'
import { withGap } from './messages/timeline.ts'
import { notificationSettingsOf } from './notification-settings.ts'
import { presencesOf } from './presences.ts'
import { withSpace } from './spaces.ts'
import { initialState, type State, type Timeline } from './state.ts'
import { withUsers } from './users.ts'
import { withVoices } from './voice-states.ts'

export const readyReducers = {
  /**
   * READY replaces the state except for messages. Those are compared with the server when their channel is shown next,
   * so that the scroll position and loaded pages survive a lost session.
   */
  READY: (state: State, ready: Events['READY'], at: number): State => {
    const mine = state.me === null || state.me.id === ready.user.id ? state : initialState
    const emptied = {
      ...mine,
      signedIn: true,
      connection: state.connection,
      me: ready.user,
      spaces: {},
      waitingSpaces: waitingSpacesOf(ready.waiting_spaces),
      // The number of waiting people may have changed. Components request the doors they need again.
      doors: {},
      typing: {},
      voices: {},
      calls: callsOf(ready.calls),
      presences: presencesOf(ready.presences),
      chosenStatus: ready.status,
      chosenUntil: ready.status_until,
      notificationSettings: notificationSettingsOf(ready.notification_settings, at),
    }
    const filled = ready.spaces.reduce(withSpace, withRelations(withUsers(emptied, [ready.user]), ready))
    const next = withoutLeftRooms(
      withVoices(withConversations(filled, ready.conversations), ready.voice_states),
    )
    return {
      ...next,
      // Read states of threads do not come with READY. The threads are requested again.
      readStates: { ...pick(state.readStates, next.threads), ...readStatesOf(next, ready.read_states) },
      timelines: mapValues(next.timelines, withPossibleGap),
      // Members may have changed while disconnected. Components request the members they need again.
      members: {},
    }
  },
  RESUMED: (state: State, { presences }: Events['RESUMED']): State => ({
    ...state,
    presences: presencesOf(presences),
  }),
}

/** Removes rooms and timelines of spaces that the user left while the client was disconnected. */
function withoutLeftRooms(state: State): State {
  const rooms = Object.entries(state.rooms).filter(([, room]) => room.space_id in state.spaces)
  const kept = Object.fromEntries(rooms)
  const threads = Object.fromEntries(
    Object.entries(state.threads).filter(([, { parent_id }]) => parent_id in kept),
  )
  const left = { ...state, rooms: kept, threads }
  const timelines = Object.entries(state.timelines).filter(([id]) => isKnownChannel(left, id))
  return { ...left, timelines: Object.fromEntries(timelines) }
}

function withPossibleGap(timeline: Timeline): Timeline {
  return withGap(timeline, timeline.messages.at(-1)?.seq ?? 0)
}

/** Returns the entries whose keys the other record also has. */
function pick<T>(record: Readonly<Record<string, T>>, keys: object): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key in keys))
}

function mapValues<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}
