import { useEffect } from 'react'
import { useSession } from '#src/session/context.ts'
import { keepReserved, releaseRows } from './keep-reserved.ts'
import { startThreadFeed } from './thread-feed.ts'

/** Keeps the threads in use up to date. Renders nothing. */
export function ThreadsInUse() {
  const session = useSession()
  useEffect(() => {
    let stopKeeping: (() => void) | undefined
    const stop = startThreadFeed(session, () => {
      releaseRows()
      stopKeeping ??= keepReserved(window, session)
    })
    return () => {
      stop()
      stopKeeping?.()
    }
  }, [session])
  return null
}
