import type { WaitingSpace } from '@foyer/protocol/door'
import { useState } from 'react'
import { useAppState } from '#src/session/context.ts'

export interface Wait {
  readonly space: WaitingSpace
  /** The user no longer waits, and is not a member. */
  readonly isOver: boolean
}

/** The user's wait for a space, while the page of the space is open; null for a member, or without a wait. */
export function useWait(spaceId: string): Wait | null {
  const waiting = useAppState((state) => state.waitingSpaces[spaceId])
  const isIn = useAppState((state) => spaceId in state.spaces)
  const [last, setLast] = useState<WaitingSpace | null>(null)
  const seen = isIn ? null : (waiting ?? (last?.id === spaceId ? last : null))
  // Remembered, because the page announces once that the wait has ended.
  if (seen !== last) setLast(seen)
  return seen === null ? null : { space: seen, isOver: waiting === undefined }
}
