import type { Room } from '@foyer/protocol/rooms'
import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { roomGroups } from '#src/store/selectors.ts'

/** The rooms of a space that messages are posted to, text and voice rooms, as they are listed. */
export function useMessageRooms(spaceId: string): readonly Room[] {
  const rooms = useAppState((state) => state.rooms)
  return useMemo(() => roomGroups(rooms, spaceId).flatMap((group) => group.rooms), [rooms, spaceId])
}
