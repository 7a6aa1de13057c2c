import { shallow } from 'zustand/vanilla/shallow'
import { isChannelMuted } from '#src/store/notification-settings.ts'
import { mentionCount, showsUnread } from '#src/store/selectors.ts'
import type { State } from '#src/store/state.ts'

/** The markers shown next to a room in the list. */
export interface RoomSigns {
  readonly isUnread: boolean
  readonly mentions: number
  readonly isMuted: boolean
}

type Signs = Readonly<Record<string, RoomSigns>>
type Read = Pick<State, 'readStates' | 'notificationSettings' | 'threads'>

/**
 * Returns a selector for the markers of a space's rooms. It returns the same object until a marker changes. One selector serves
 * the whole list: with 500 selectors, every keystroke would lag. A forum is marked for its posts, because it has no messages of
 * its own. Other rooms are not marked for their threads.
 */
export function roomSigns(rooms: State['rooms']): (state: Read) => Signs {
  let seen: Read | null = null
  let signs: Signs = {}
  return ({ readStates, notificationSettings, threads }) => {
    const state = { rooms, readStates, notificationSettings, threads }
    if (shallow(seen, state)) return signs
    seen = state
    const now: Record<string, RoomSigns> = {}
    for (const id of Object.keys(rooms)) {
      const sign = {
        isUnread: showsUnread(state, id),
        mentions: mentionCount(state, id),
        isMuted: isChannelMuted(state, id),
      }
      if (sign.isUnread || sign.mentions > 0 || sign.isMuted) now[id] = sign
    }
    for (const { id, parent_id } of Object.values(threads)) {
      if (rooms[parent_id]?.forum && showsUnread(state, id))
        now[parent_id] = {
          isUnread: true,
          mentions: (now[parent_id]?.mentions ?? 0) + mentionCount(state, id),
          isMuted: false,
        }
    }
    if (JSON.stringify(now) !== JSON.stringify(signs)) signs = now
    return signs
  }
}
