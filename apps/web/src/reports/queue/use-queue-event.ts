import type { Events } from '@foyer/protocol/events'
import { useCallback } from 'react'
import { useEvent } from '#src/session/use-event.ts'
import { useDelayed } from '#src/ui/time/use-delayed.ts'

/** Delay before the callback, so that many changes at once cause few requests. */
const SETTLE_MS = 500

/**
 * Calls back when a report of the queue has changed, and when events may have been missed. The events have no data, because
 * not everyone who receives them may see every report.
 * @param spaceId null for the queue of operators
 */
export function useQueueEvent(spaceId: string | null, onChange: () => void): void {
  const changeSoon = useDelayed(onChange, SETTLE_MS)
  const onSpace = useCallback(
    ({ space_id }: Events['REPORTS_UPDATE']) => {
      if (space_id === spaceId) changeSoon()
    },
    [spaceId, changeSoon],
  )
  const onServer = useCallback(() => {
    if (spaceId === null) changeSoon()
  }, [spaceId, changeSoon])
  useEvent('REPORTS_UPDATE', onSpace)
  useEvent('SERVER_REPORTS_UPDATE', onServer)
  useEvent('READY', onChange)
}
