import type { Door, WaitingSpace } from '@foyer/protocol/door'
import type { Events } from '@foyer/protocol/events'
import { type State, without } from './state.ts'

export const doorReducers = {
  /** Updates the door and `door_closed_at` of its space, where components read the closing time. */
  SPACE_DOOR_UPDATE: (state: State, door: Events['SPACE_DOOR_UPDATE']): State => {
    const space = state.spaces[door.space_id]
    if (space === undefined) return state
    const changed = { ...space, door_closed_at: door.closed_at }
    return {
      ...state,
      doors: { ...state.doors, [space.id]: door },
      spaces: { ...state.spaces, [space.id]: changed },
    }
  },
  WAITING_SPACE_CREATE: (state: State, space: Events['WAITING_SPACE_CREATE']): State => ({
    ...state,
    waitingSpaces: { ...state.waitingSpaces, [space.id]: space },
  }),
  WAITING_SPACE_DELETE: (state: State, { space_id }: Events['WAITING_SPACE_DELETE']): State => ({
    ...state,
    waitingSpaces: without(state.waitingSpaces, space_id),
  }),
}

/** Returns the spaces of READY by id. */
export function waitingSpacesOf(spaces: readonly WaitingSpace[]): State['waitingSpaces'] {
  return Object.fromEntries(spaces.map((space) => [space.id, space]))
}

/** Returns the spaces that the user waits for, longest first. */
export function sortedWaitingSpaces(spaces: State['waitingSpaces']): WaitingSpace[] {
  return Object.values(spaces).sort((a, b) => (a.waiting_since < b.waiting_since ? -1 : 1))
}

/** Returns true if the sensor closed the door, not a moderator. */
export function isClosedBySensor({ closed_at, cause }: Pick<Door, 'closed_at' | 'cause'>): boolean {
  return closed_at !== null && cause !== 'moderator'
}
