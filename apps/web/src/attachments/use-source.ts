import { useEffect, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import type { ShownFile } from './shown-file.ts'

/** The URL that a file is loaded from. */
export interface Source {
  /** Null while a new URL is being requested, and for a file that has none. */
  readonly url: string | null
  /** Incremented to load the same URL again. */
  readonly attempt: number
  readonly isBroken: boolean
  readonly onLoad: () => void
  /** Requests a new URL. If loading fails again, the source is broken. */
  readonly onError: () => void
  readonly again: () => void
}

type Trouble = 'none' | 'renewing' | 'renewed' | 'broken'

/** Returns the URL of a file. If its signature has expired or loading fails, requests a new URL once. */
export function useSource({ id, url }: Pick<ShownFile, 'id' | 'url'>): Source {
  const { signedUrls } = useSession()
  const [trouble, setTrouble] = useState<Trouble>('none')
  const [attempt, setAttempt] = useState(0)
  // The URL stays while mounted: an edit of the message brings a new URL, which would load the same file again.
  const [usable, setUsable] = useState(() => signedUrls.usable({ id, url }))
  const isDue = trouble === 'renewing' || (trouble === 'none' && usable === null && url !== null)

  useEffect(() => {
    if (!isDue) return
    let isStale = false
    signedUrls.renew(id).then(
      (renewed) => {
        if (isStale) return
        setUsable(renewed)
        setAttempt((count) => count + 1)
        setTrouble('renewed')
      },
      () => isStale || setTrouble('broken'),
    )
    return () => {
      isStale = true
    }
  }, [signedUrls, id, isDue])

  return {
    url: url === null ? null : usable,
    attempt,
    isBroken: trouble === 'broken',
    onLoad: () => setTrouble('none'),
    // A file that is still uploading has no URL to renew.
    onError: () => setTrouble(trouble === 'none' && url !== null ? 'renewing' : 'broken'),
    again: () => setTrouble('renewing'),
  }
}
