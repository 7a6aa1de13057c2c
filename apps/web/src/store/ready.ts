import type { Events } from '@foyer/protocol/events'
import { withConversations } from './conversations.ts'
import { withRelations } from './friends.ts'
import { readStatesOf } from './read-states.ts'
import { withSpace } from './spaces.ts'
import { initialState, type State, type Timeline } from './state.ts'
import { withGap } from './timeline.ts'
import { withUsers } from './users.ts'

export const readyReducers = {
  /**
   * What READY tells replaces what was known. Messages are kept, to be compared with the server when their
   * channel is shown next: the reader's place and the scrolled-back pages survive a lost session.
   */
  READY: (state: State, ready: Events['READY']): State => {
    const mine = state.me === null || state.me.id === ready.user.id ? state : initialState
    const emptied = {
      ...mine,
      signedIn: true,
      connection: state.connection,
      me: ready.user,
      spaces: {},
      typing: {},
    }
    const filled = ready.spaces.reduce(withSpace, withRelations(withUsers(emptied, [ready.user]), ready))
    const told = withConversations(filled, ready.conversations)
    return withoutLeftRooms({
      ...told,
      readStates: readStatesOf(told, ready.read_states),
      timelines: mapValues(told.timelines, missedSomething),
      members: mapValues(told.members, (list) => ({ ...list, stale: true })),
    })
  },
  RESUMED: (state: State): State => state,
}

/** Spaces that were left while this client was away took their rooms with them. */
function withoutLeftRooms(state: State): State {
  const rooms = Object.entries(state.rooms).filter(([, room]) => room.space_id in state.spaces)
  const kept = Object.fromEntries(rooms)
  const ofKept = <T>([id]: [string, T]) => id in kept || id in state.conversations
  return {
    ...state,
    rooms: kept,
    timelines: Object.fromEntries(Object.entries(state.timelines).filter(ofKept)),
    outbox: Object.fromEntries(Object.entries(state.outbox).filter(ofKept)),
  }
}

function missedSomething(timeline: Timeline): Timeline {
  return withGap(timeline, timeline.messages.at(-1)?.seq ?? 0)
}

function mapValues<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}
