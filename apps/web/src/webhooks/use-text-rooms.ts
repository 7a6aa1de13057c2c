import { type Room, RoomType } from '@foyer/protocol/rooms'
import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { roomGroups } from '#src/store/selectors.ts'

/** The rooms of a space that messages are posted to, as they are listed. */
export function useTextRooms(spaceId: string): readonly Room[] {
  const rooms = useAppState((state) => state.rooms)
  return useMemo(
    () =>
      roomGroups(rooms, spaceId)
        .flatMap((group) => group.rooms)
        .filter(({ type }) => type === RoomType.Text),
    [rooms, spaceId],
  )
}
