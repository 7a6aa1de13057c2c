import type { Room } from '@foyer/protocol/rooms'
import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { roomGroups } from '#src/store/selectors.ts'

/** Returns the rooms of a space that hold messages, text and voice, in the order of the room list. */
export function useMessageRooms(spaceId: string): readonly Room[] {
  const rooms = useAppState((state) => state.rooms)
  return useMemo(() => roomGroups(rooms, spaceId).flatMap((group) => group.rooms), [rooms, spaceId])
}
