import { useCallback, useRef, useState } from 'react'
import type { ReportUnsaved } from './unsaved-changes.ts'

interface Leaving {
  readonly report: ReportUnsaved
  /** Goes at once when nothing would be lost, else once the reader has agreed to that. */
  attempt(go: () => void): void
  readonly asks: boolean
  stay(): void
  discard(): Promise<void>
}

/** The way out of a page whose forms tell what they did not save. */
export function useLeaving(): Leaving {
  const unsaved = useRef(new Set<string>())
  const [pending, setPending] = useState<(() => void) | null>(null)

  const report = useCallback<ReportUnsaved>((formId, isUnsaved) => {
    if (isUnsaved) unsaved.current.add(formId)
    else unsaved.current.delete(formId)
  }, [])

  const attempt = useCallback((go: () => void) => {
    if (unsaved.current.size === 0) go()
    else setPending(() => go)
  }, [])

  return {
    report,
    attempt,
    asks: pending !== null,
    stay: () => setPending(null),
    discard: async () => pending?.(),
  }
}
