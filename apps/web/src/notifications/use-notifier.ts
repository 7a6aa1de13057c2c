import { useEffect } from 'react'
import { useSession } from '#src/session/context.ts'
import { contentShown } from '#src/ui/loading/content-shown.ts'

/** Runs the notifier while the user is signed in. Its code is loaded once the page shows its content. */
export function useNotifier(): void {
  const session = useSession()
  useEffect(() => {
    let isStopped = false
    const before = session.store.get()
    let stop: (() => void) | undefined
    const start = async () => {
      // A page that is loaded in a hidden tab has no content to wait for.
      if (document.visibilityState === 'visible') await contentShown()
      const { startNotifier } = await import('./notifier.ts')
      if (!isStopped) stop = startNotifier(session, before)
    }
    start().catch(() => undefined)
    return () => {
      isStopped = true
      stop?.()
    }
  }, [session])
}
