import type { ChannelAddress } from '@foyer/sdk/channel-path'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { loadAround, loadNewer, loadOlder, loadUnread, syncLatest } from './history.ts'
import { openingOf } from './opening.ts'

export interface History {
  readonly error: string | null
  readonly loadOlder: () => void
  readonly loadNewer: () => void
  /** Loads the latest messages in place of older ones. */
  readonly toPresent: () => Promise<void>
  /** Loads the messages around a message, or the first unread ones. Resolves when done, also after an error. */
  readonly toMessage: (id: string) => Promise<void>
  readonly toUnread: () => Promise<void>
}

type Load = (session: Session, channel: ChannelAddress) => Promise<void>

interface HistoryOptions {
  channel: Pick<OpenChannel, 'id' | 'address'>
  /** First load of a channel without loaded messages. */
  first: Load
}

/** Loads a channel's messages: when opened, after a reconnect, and more at either end. */
export function useHistory({ channel: { id, address }, first }: HistoryOptions): History {
  const timeline = useAppState((state) => state.timelines[id])
  const isConnected = useAppState((state) => state.connection === 'ready')
  const { error, run, runWhenIdle } = useLoads(address)
  const begin = useRef<Load>(async (session, channel) => {
    const opening = openingOf(session, id)
    if (opening !== undefined) return opening
    // A slow browser may have received the messages since it rendered the room.
    if (session.store.get().timelines[id] === undefined) await first(session, channel)
  })
  const isNew = timeline === undefined
  const isIncomplete = isNew || timeline.missedAfter !== null

  useEffect(() => {
    if (isIncomplete && isConnected) void run(isNew ? begin.current : syncLatest)
  }, [isIncomplete, isNew, isConnected, run])

  const hasOlder = timeline?.hasOlder ?? false
  const hasNewer = timeline?.hasNewer ?? false
  return useMemo(
    () => ({
      error,
      loadOlder: () => hasOlder && runWhenIdle(loadOlder),
      loadNewer: () => hasNewer && runWhenIdle(loadNewer),
      toPresent: () => run(syncLatest),
      toMessage: (messageId) => run((session, channel) => loadAround(session, channel, messageId)),
      toUnread: () => run(loadUnread),
    }),
    [error, hasOlder, hasNewer, run, runWhenIdle],
  )
}

/** Runs one load at a time: a page requested for one timeline must not be joined to another. */
function useLoads(channel: ChannelAddress) {
  const session = useSession()
  const [error, setError] = useState<string | null>(null)
  const last = useRef<Promise<void> | null>(null)

  const run = useCallback(
    (load: Load): Promise<void> => {
      const finish = (problem: string | null) => {
        setError(problem)
        if (last.current === work) last.current = null
      }
      const work: Promise<void> = (last.current ?? Promise.resolve())
        .then(() => load(session, channel))
        .then(
          () => finish(null),
          (thrown) => finish(errorMessage(thrown)),
        )
      last.current = work
      return work
    },
    [session, channel],
  )
  /** Starts a load unless one is running, because scroll events repeat the request. */
  const runWhenIdle = useCallback((load: Load) => void (last.current === null && run(load)), [run])
  return { error, run, runWhenIdle }
}
