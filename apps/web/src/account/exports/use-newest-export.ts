import type { Export } from '@foyer/protocol/exports'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useEffect } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'

/** Interval of requests for an export that is being made. */
const LOOK_MS = 3000

/**
 * The newest export of a kind. While it is being made, its state is requested repeatedly, as long as the page is
 * visible.
 * @param list requests the exports; a new function requests them again
 */
export function useNewestExport(list: (client: Client, options: CallOptions) => Promise<Export[]>) {
  const { answer, again, change } = useAnswer(list)
  const newest = answer.state === 'here' ? answer.value[0] : undefined
  const isMaking = newest?.state === 'queued' || newest?.state === 'running'

  useEffect(() => {
    if (!isMaking) return
    const looking = setInterval(() => {
      if (document.visibilityState === 'visible') again()
    }, LOOK_MS)
    return () => clearInterval(looking)
  }, [isMaking, again])

  return { answer, again, newest, isMaking, show: (asked: Export) => change(() => [asked]) }
}
