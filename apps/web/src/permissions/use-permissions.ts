import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { type Rights, rightsInRoom, rightsInSpace } from './rights.ts'

/** What the signed-in user may do in the space; nothing in one they are not in. */
export function usePermissions(spaceId: string): Rights {
  const space = useAppState((state) => state.spaces[spaceId])
  return useMemo(() => rightsInSpace(space), [space])
}

/** What the signed-in user may do in the room; nothing in one they cannot see. */
export function useRoomPermissions(roomId: string): Rights {
  const space = useAppState((state) => state.spaces[state.rooms[roomId]?.space_id ?? ''])
  return useMemo(() => rightsInRoom(space, roomId), [space, roomId])
}
