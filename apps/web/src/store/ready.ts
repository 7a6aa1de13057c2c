import type { Events } from '@foyer/protocol/events'
import { withRelations } from './friends.ts'
import { withSpace } from './spaces.ts'
import { initialState, type State, type Timeline } from './state.ts'
import { withGap } from './timeline.ts'
import { withUsers } from './users.ts'

export const readyReducers = {
  /**
   * What READY tells replaces what was known. Messages are kept, to be compared with the server when their
   * room is shown next: the reader's place and the scrolled-back pages survive a lost session.
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
    return withoutLeftRooms({
      ...filled,
      readSeqs: readSeqsOf(ready),
      timelines: mapValues(filled.timelines, missedSomething),
      members: mapValues(filled.members, (list) => ({ ...list, stale: true })),
    })
  },
  RESUMED: (state: State): State => state,
}

function readSeqsOf(ready: Events['READY']): Record<string, number> {
  const rooms = ready.read_states.map((read): [string, number] => [read.room_id ?? '', read.last_read_seq])
  return Object.fromEntries(rooms.filter(([roomId]) => roomId !== ''))
}

/** Spaces that were left while this client was away took their rooms with them. */
function withoutLeftRooms(state: State): State {
  const rooms = Object.entries(state.rooms).filter(([, room]) => room.space_id in state.spaces)
  const kept = Object.fromEntries(rooms)
  const ofKept = <T>([id]: [string, T]) => id in kept
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
