import { useEffect } from 'react'
import { useSession } from '#src/session/context.ts'
import { startThreadFeed } from './thread-feed.ts'

/** Keeps the threads in use up to date. It shows nothing. */
export function ThreadsInUse() {
  const session = useSession()
  useEffect(() => startThreadFeed(session), [session])
  return null
}
