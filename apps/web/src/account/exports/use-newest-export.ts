import type { Export } from '@foyer/protocol/exports'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useEffect } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'

/** Polling interval while an export is being made. */
const LOOK_MS = 3000

/**
 * The newest export of a kind. Polls its state while it is being made and the page is visible.
 * @param list requests the exports. Must be stable: a new function sends a new request
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
