import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import { errorMessage } from '#src/ui/form-errors.ts'
import { loadNewer, loadOlder, syncLatest } from './history.ts'

interface History {
  readonly error: string | null
  readonly loadOlder: () => void
  readonly loadNewer: () => void
  /** Drops the place in the past for the present. */
  readonly jumpToPresent: () => void
}

type Load = (session: Session, channel: ChannelAddress) => Promise<void>

/** Has the channel's messages: at first, again after something may have been missed, and more at either end. */
export function useHistory({ id, address }: Pick<OpenChannel, 'id' | 'address'>): History {
  const session = useSession()
  const timeline = useAppState((state) => state.timelines[id])
  const isConnected = useAppState((state) => state.connection === 'ready')
  const [error, setError] = useState<string | null>(null)
  // One at a time: a page that was asked for beside another timeline would be joined to the wrong one.
  const last = useRef<Promise<void> | null>(null)
  const incomplete = timeline === undefined || timeline.missedAfter !== null

  const run = useCallback(
    (load: Load) => {
      const finish = (problem: string | null) => {
        setError(problem)
        if (last.current === work) last.current = null
      }
      const work: Promise<void> = (last.current ?? Promise.resolve())
        .then(() => load(session, address))
        .then(
          () => finish(null),
          (thrown) => finish(errorMessage(thrown)),
        )
      last.current = work
    },
    [session, address],
  )
  /** Scrolling asks again and again; once is enough. */
  const runWhenIdle = useCallback((load: Load) => void (last.current === null && run(load)), [run])

  useEffect(() => {
    if (incomplete && isConnected) run(syncLatest)
  }, [incomplete, isConnected, run])

  const hasOlder = timeline?.hasOlder ?? false
  const hasNewer = timeline?.hasNewer ?? false
  return {
    error,
    loadOlder: useCallback(() => void (hasOlder && runWhenIdle(loadOlder)), [hasOlder, runWhenIdle]),
    loadNewer: useCallback(() => void (hasNewer && runWhenIdle(loadNewer)), [hasNewer, runWhenIdle]),
    jumpToPresent: useCallback(() => run(syncLatest), [run]),
  }
}
