import { isChannelMuted, type Mutes } from '#src/store/notification-settings.ts'
import { mentionCount, showsUnread } from '#src/store/selectors.ts'
import type { State } from '#src/store/state.ts'

/** The markers shown next to a room in the list. */
export interface RoomSigns {
  readonly isUnread: boolean
  readonly mentions: number
  readonly isMuted: boolean
}

type Signs = Readonly<Record<string, RoomSigns>>
type Read = Pick<State, 'readStates' | 'notificationSettings'>

/**
 * Returns the markers of a space's rooms that have any, and the same object until one of them changes. One selector
 * serves the whole list: with 500 selectors, every keystroke would lag.
 */
export function roomSigns(rooms: State['rooms']): (state: Read) => Signs {
  let seen: Read | null = null
  let signs: Signs = {}
  return ({ readStates, notificationSettings }) => {
    if (seen?.readStates === readStates && seen.notificationSettings === notificationSettings) return signs
    seen = { readStates, notificationSettings }
    // Rooms only: the threads do not matter.
    const state = { rooms, readStates, notificationSettings, threads: {} }
    const now = Object.fromEntries(
      Object.keys(rooms).flatMap((id) => {
        const sign = signOf(state, id)
        return sign === null ? [] : [[id, sign] as const]
      }),
    )
    if (!areSame(now, signs)) signs = now
    return signs
  }
}

function signOf(state: Pick<State, 'readStates'> & Mutes, id: string): RoomSigns | null {
  const sign = {
    isUnread: showsUnread(state, id),
    mentions: mentionCount(state, id),
    isMuted: isChannelMuted(state, id),
  }
  return sign.isUnread || sign.mentions > 0 || sign.isMuted ? sign : null
}

function areSame(one: Signs, other: Signs): boolean {
  const ids = Object.keys(one)
  return ids.length === Object.keys(other).length && ids.every((id) => isSame(one[id], other[id]))
}

function isSame(one: RoomSigns | undefined, other: RoomSigns | undefined): boolean {
  return (
    one?.isUnread === other?.isUnread && one?.mentions === other?.mentions && one?.isMuted === other?.isMuted
  )
}
