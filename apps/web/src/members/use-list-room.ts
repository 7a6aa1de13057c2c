import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { listRoomOf } from './list-room.ts'

/** As `listRoomOf`. */
export function useListRoom(spaceId: string, roomId: string): string | null {
  const space = useAppState((state) => state.spaces[spaceId])
  const rooms = useAppState((state) => state.rooms)
  return useMemo(() => (space ? listRoomOf(space, rooms, roomId) : null), [space, rooms, roomId])
}
