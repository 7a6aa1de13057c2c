import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { ownerRoomOf, roomOf } from '#src/store/channels.ts'
import { type Rights, rightsInRoom, rightsInSpace } from './rights.ts'
import { useTimeoutEnd } from './timeout.ts'

/** Rights of the signed-in user in the space; none if they are not a member. */
export function usePermissions(spaceId: string): Rights {
  const space = useAppState((state) => state.spaces[spaceId])
  const end = useTimeoutEnd(space?.member)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a timeout changes the rights
  return useMemo(() => rightsInSpace(space), [space, end])
}

/** True while the signed-in user is timed out in the space. False in conversations. */
export function useIsTimedOut(spaceId: string | null): boolean {
  const space = useAppState((state) => state.spaces[spaceId ?? ''])
  const end = useTimeoutEnd(space?.member)
  return end !== null && space?.owner_id !== space?.member.user_id
}

/** True while operators of the server freeze the space. False in conversations. */
export function useIsFrozen(spaceId: string | null): boolean {
  return useAppState((state) => (state.spaces[spaceId ?? '']?.frozen_at ?? null) !== null)
}

/** Rights of the signed-in user in the room or thread; none if they cannot view it. */
export function useRoomPermissions(roomId: string): Rights {
  const space = useAppState((state) => state.spaces[roomOf(state, roomId)?.space_id ?? ''])
  const ownerId = useAppState((state) => ownerRoomOf(state, roomId))
  const end = useTimeoutEnd(space?.member)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a timeout changes the rights
  return useMemo(() => rightsInRoom(space, ownerId), [space, ownerId, end])
}
