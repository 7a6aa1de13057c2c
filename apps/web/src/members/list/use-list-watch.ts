import { useEffect, useLayoutEffect, useMemo } from 'react'
import { useSession } from '#src/session/context.ts'
import { ListWatch } from './list-watch.ts'

/** Time after which a hidden page unsubscribes from the list. It subscribes again once visible. */
const HIDDEN_FOR_MS = 60_000

/**
 * Returns the member list of a space or room, subscribed while the page is visible.
 * @param roomId null for the whole space
 */
export function useListWatch(spaceId: string, roomId: string | null): ListWatch {
  const session = useSession()
  const watch = useMemo(() => new ListWatch(session, spaceId), [session, spaceId])
  useLayoutEffect(() => watch.turnTo(roomId), [watch, roomId])

  useEffect(() => {
    let close = document.hidden ? null : watch.open()
    let timer: ReturnType<typeof setTimeout> | undefined
    const turn = () => {
      clearTimeout(timer)
      if (!document.hidden) close ??= watch.open()
      else
        timer = setTimeout(() => {
          close?.()
          close = null
        }, HIDDEN_FOR_MS)
    }
    document.addEventListener('visibilitychange', turn)
    return () => {
      document.removeEventListener('visibilitychange', turn)
      clearTimeout(timer)
      close?.()
    }
  }, [watch])

  return watch
}
