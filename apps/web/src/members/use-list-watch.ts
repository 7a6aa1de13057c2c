import { useEffect, useLayoutEffect, useMemo } from 'react'
import { useSession } from '#src/session/context.ts'
import { ListWatch } from './list-watch.ts'

/** A page that nobody has looked at for so long has nothing told; as soon as it is shown it has again. */
const HIDDEN_FOR_MS = 60_000

/**
 * The list of the members of a space, or of a room of it, told while the page shows it.
 * @param roomId null for all of the space
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
