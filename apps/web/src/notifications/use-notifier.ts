import { useEffect } from 'react'
import { useSession } from '#src/session/context.ts'

/** Tells of messages as long as somebody is signed in; what that takes is fetched when the page is there. */
export function useNotifier(): void {
  const session = useSession()
  useEffect(() => {
    let isOver = false
    let stop: (() => void) | undefined
    const start = async () => {
      const { startNotifier } = await import('./notifier.ts')
      if (!isOver) stop = startNotifier(session)
    }
    start().catch(() => undefined)
    return () => {
      isOver = true
      stop?.()
    }
  }, [session])
}
