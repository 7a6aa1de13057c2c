import type { Room } from '@foyer/protocol/rooms'
import { useMemo } from 'react'
import { useAppState } from '#src/session/context.ts'
import { isHiddenFromEveryone } from './private-rooms.ts'

/** Returns true if members with no role but @everyone may not view the room. */
export function useIsPrivate({ id, space_id }: Room): boolean {
  const space = useAppState((state) => state.spaces[space_id])
  return useMemo(() => space !== undefined && isHiddenFromEveryone(space, id), [space, id])
}
