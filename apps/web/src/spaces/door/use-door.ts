import type { Door } from '@foyer/protocol/door'
import { useCallback, useEffect, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'

export interface LoadedDoor {
  /** Undefined while loading. */
  readonly door: Door | undefined
  /** Error message if the door could not be loaded. */
  readonly error: string | null
  again(): void
}

/**
 * The door of a space, for a user with KickMembers. Requested once, then kept up to date by events.
 * @param isNeeded false if the door need not be requested, because an event will deliver it
 */
export function useDoor(spaceId: string, isNeeded = true): LoadedDoor {
  const { client, store } = useSession()
  const door = useAppState((state) => state.doors[spaceId])
  const [error, setError] = useState<string | null>(null)
  const [times, setTimes] = useState(0)
  const isMissing = door === undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new count repeats the request
  useEffect(() => {
    if (!isMissing || !isNeeded) return
    const asking = new AbortController()
    setError(null)
    client.door.get(spaceId, { signal: asking.signal }).then(
      // If an event arrived during the request, its door is newer.
      (answer) => spaceId in store.get().doors || store.adopt('SPACE_DOOR_UPDATE', answer),
      (thrown) => asking.signal.aborted || setError(errorMessage(thrown)),
    )
    return () => asking.abort()
  }, [client, store, spaceId, isMissing, isNeeded, times])

  const again = useCallback(() => setTimes((count) => count + 1), [])
  return { door, error, again }
}
