import { useCallback, useMemo, useRef, useState } from 'react'
import type { Leaving } from './unsaved-changes.ts'

interface AskedLeaving {
  readonly leaving: Leaving
  /** True while the user is being asked. */
  readonly asks: boolean
  stay(): void
  discard(): Promise<void>
}

/** Asks before leaving a page whose forms have unsaved changes. Leaves without an answer once they are saved. */
export function useLeaving(): AskedLeaving {
  const unsaved = useRef(new Set<string>())
  const pending = useRef<(() => void) | null>(null)
  const [asks, setAsks] = useState(false)

  const wait = useCallback((go: (() => void) | null) => {
    pending.current = go
    setAsks(go !== null)
  }, [])

  const leave = useCallback(() => {
    const go = pending.current
    wait(null)
    go?.()
  }, [wait])

  const report = useCallback(
    (formId: string, isUnsaved: boolean) => {
      if (isUnsaved) unsaved.current.add(formId)
      else if (unsaved.current.delete(formId) && unsaved.current.size === 0) leave()
    },
    [leave],
  )

  const attempt = useCallback(
    (go: () => void) => {
      if (unsaved.current.size === 0) go()
      else wait(go)
    },
    [wait],
  )

  return {
    leaving: useMemo(() => ({ report, attempt }), [report, attempt]),
    asks,
    stay: () => wait(null),
    discard: async () => leave(),
  }
}
