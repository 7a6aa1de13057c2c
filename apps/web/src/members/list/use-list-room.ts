import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { listRoomIn } from './list-room.ts'

/** Returns `listRoomOf` for the current state. */
export function useListRoom(spaceId: string, roomId: string): string | null {
  return useAppState(useMemo(() => listRoomIn(spaceId, roomId), [spaceId, roomId]))
}
