import type { WaitingSpace } from '@foyer/protocol/door'
import { useState } from 'react'
import { useAppState } from '#src/session/context.ts'

export interface Wait {
  readonly space: WaitingSpace
  /** True if the wait has ended, but the user is not a member. If a moderator let the user in, the space arrives soon. */
  readonly isOver: boolean
}

/** Returns the user's wait to be let into the space, even after it has ended; null if the user is a member or never waited. */
export function useWait(spaceId: string): Wait | null {
  const waiting = useAppState((state) => state.waitingSpaces[spaceId])
  const isIn = useAppState((state) => spaceId in state.spaces)
  const [last, setLast] = useState<WaitingSpace | null>(null)
  const seen = isIn ? null : (waiting ?? (last?.id === spaceId ? last : null))
  // Keeps the ended wait, because the waiting page then shows how it ended.
  if (seen !== last) setLast(seen)
  return seen === null ? null : { space: seen, isOver: waiting === undefined }
}
