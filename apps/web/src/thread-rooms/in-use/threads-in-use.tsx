import { useEffect } from 'react'
import { useSession } from '#src/session/context.ts'
import { keepReserved, releaseRows } from './keep-reserved.ts'
import { startThreadFeed } from './thread-feed.ts'

/** Keeps the threads in use up to date. It shows nothing. */
export function ThreadsInUse() {
  const session = useSession()
  useEffect(() => startThreadFeed(session, releaseRows), [session])
  useEffect(() => keepReserved(window, session.store), [session])
  return null
}
