import { useCallback, useMemo, useRef, useState } from 'react'
import type { Leaving } from './unsaved-changes.ts'

interface AskedLeaving {
  readonly leaving: Leaving
  /** The user is being asked. */
  readonly asks: boolean
  stay(): void
  discard(): Promise<void>
}

/** Asks before leaving a page whose forms have unsaved changes. */
export function useLeaving(): AskedLeaving {
  const unsaved = useRef(new Set<string>())
  const [pending, setPending] = useState<(() => void) | null>(null)

  const report = useCallback((formId: string, isUnsaved: boolean) => {
    if (isUnsaved) unsaved.current.add(formId)
    else unsaved.current.delete(formId)
  }, [])

  const attempt = useCallback((go: () => void) => {
    if (unsaved.current.size === 0) go()
    else setPending(() => go)
  }, [])

  return {
    leaving: useMemo(() => ({ report, attempt }), [report, attempt]),
    asks: pending !== null,
    stay: () => setPending(null),
    discard: async () => pending?.(),
  }
}
