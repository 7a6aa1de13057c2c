import { useCallback, useEffect, useRef, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import { errorMessage } from '#src/ui/form-errors.ts'
import { loadNewer, loadOlder, syncLatest } from './history.ts'

interface History {
  readonly error: string | null
  readonly loadOlder: () => void
  readonly loadNewer: () => void
  /** Drops the place in the past for the present. */
  readonly jumpToPresent: () => void
}

type Load = (session: Session, roomId: string) => Promise<void>

/** Has the room's messages: at first, again after something may have been missed, and more at either end. */
export function useHistory(roomId: string): History {
  const session = useSession()
  const timeline = useAppState((state) => state.timelines[roomId])
  const isConnected = useAppState((state) => state.connection === 'ready')
  const [error, setError] = useState<string | null>(null)
  const busy = useRef(false)
  const incomplete = timeline === undefined || timeline.missedAfter !== null

  const run = useCallback(
    async (load: Load) => {
      if (busy.current) return
      busy.current = true
      await load(session, roomId).then(
        () => setError(null),
        (thrown) => setError(errorMessage(thrown)),
      )
      busy.current = false
    },
    [session, roomId],
  )

  useEffect(() => {
    if (incomplete && isConnected) void run(syncLatest)
  }, [incomplete, isConnected, run])

  const hasOlder = timeline?.hasOlder ?? false
  const hasNewer = timeline?.hasNewer ?? false
  return {
    error,
    loadOlder: useCallback(() => void (hasOlder && run(loadOlder)), [hasOlder, run]),
    loadNewer: useCallback(() => void (hasNewer && run(loadNewer)), [hasNewer, run]),
    jumpToPresent: useCallback(() => void run(syncLatest), [run]),
  }
}
