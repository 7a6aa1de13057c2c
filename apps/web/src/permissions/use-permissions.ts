import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { type Rights, rightsInRoom, rightsInSpace } from './rights.ts'

/** Rights of the signed-in user in the space; none if they are not a member. */
export function usePermissions(spaceId: string): Rights {
  const space = useAppState((state) => state.spaces[spaceId])
  return useMemo(() => rightsInSpace(space), [space])
}

/** Rights of the signed-in user in the room; none if they cannot view it. */
export function useRoomPermissions(roomId: string): Rights {
  const space = useAppState((state) => state.spaces[state.rooms[roomId]?.space_id ?? ''])
  return useMemo(() => rightsInRoom(space, roomId), [space, roomId])
}
