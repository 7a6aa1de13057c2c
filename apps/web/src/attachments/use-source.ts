import { useEffect, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import type { ShownFile } from './shown-file.ts'

/** Where a file is loaded from, now. */
export interface Source {
  /** Null until there is an address that works, and when there is none. */
  readonly url: string | null
  /** Grows when the same address should be loaded once more. */
  readonly attempt: number
  readonly isBroken: boolean
  readonly onLoad: () => void
  /** Gets a new address, once; a second failure is one. */
  readonly onError: () => void
  readonly again: () => void
}

type Trouble = 'none' | 'renewing' | 'renewed' | 'broken'

/** The address of a file that is shown: a signature that has ended, or a failure, has it signed anew once. */
export function useSource({ id, url }: Pick<ShownFile, 'id' | 'url'>): Source {
  const { signedUrls } = useSession()
  const [trouble, setTrouble] = useState<Trouble>('none')
  const [attempt, setAttempt] = useState(0)
  // Kept while it is shown: an address that comes with an edit would load the same file again.
  const [usable, setUsable] = useState(() => signedUrls.usable({ id, url }))
  const isDue = trouble === 'renewing' || (trouble === 'none' && usable === null && url !== null)

  useEffect(() => {
    if (!isDue) return
    let isOver = false
    signedUrls.renew(id).then(
      (renewed) => {
        if (isOver) return
        setUsable(renewed)
        setAttempt((count) => count + 1)
        setTrouble('renewed')
      },
      () => isOver || setTrouble('broken'),
    )
    return () => {
      isOver = true
    }
  }, [signedUrls, id, isDue])

  return {
    url: url === null ? null : usable,
    attempt,
    isBroken: trouble === 'broken',
    onLoad: () => setTrouble('none'),
    // What is still on its way has nothing to be signed.
    onError: () => setTrouble(trouble === 'none' && url !== null ? 'renewing' : 'broken'),
    again: () => setTrouble('renewing'),
  }
}
