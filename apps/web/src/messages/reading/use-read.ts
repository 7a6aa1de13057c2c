import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { isUnread } from '#src/store/selectors.ts'
import type { Timeline } from '#src/store/state.ts'

/** Minimum time between two acknowledgements, so that reading a busy room does not use up the rate limit. */
const ACK_INTERVAL_MS = 1500

/** Marks the channel as read while its newest message is in view and the window is focused. */
export function useRead(channel: Pick<OpenChannel, 'id' | 'address'>, atBottom: boolean): void {
  const { id } = channel
  const { store } = useSession()
  const isFocused = useFocused()
  const isPresent = useAppState((state) => isAtPresent(state.timelines[id]))
  const messages = useAppState((state) => state.timelines[id]?.messages)
  const isKept = useAppState((state) => state.readStates[id]?.kept_unread === true)
  const unread = useAppState((state) => isUnread(state, id))
  const acknowledge = useAcknowledge(channel)
  const due = isFocused && atBottom && isPresent && !isKept

  useEffect(() => {
    const newest = messages?.at(-1)
    if (!due || messages === undefined || newest === undefined) return
    // Own messages are never unread on the server, so they need no request.
    const { me, readStates } = store.get()
    const ackedSeq = readStates[id]?.acked_seq ?? 0
    const hasOthers = messages.some(({ seq, author }) => seq > ackedSeq && author.id !== me?.id)
    if (!unread && !hasOthers) return
    // Updates the local state immediately, so that the channel does not look unread.
    store.dispatch('channel_read', { channel_id: id, seq: newest.seq })
    acknowledge({ id: newest.id, seq: newest.seq })
  }, [store, id, messages, due, unread, acknowledge])
}

interface Acknowledged {
  readonly id: string
  readonly seq: number
}

/** Acknowledges the newest message at most once per interval, and the last one when the channel is closed. */
function useAcknowledge({
  id,
  address,
}: Pick<OpenChannel, 'id' | 'address'>): (message: Acknowledged) => void {
  const { client, store } = useSession()
  const due = useRef<{ message: Acknowledged; timer: ReturnType<typeof setTimeout> } | null>(null)
  const sentAt = useRef(0)

  const send = useCallback(() => {
    if (due.current === null) return
    const { message, timer } = due.current
    clearTimeout(timer)
    due.current = null
    sentAt.current = Date.now()
    const settle = () => store.dispatch('read_settled', { channel_id: id, seq: message.seq })
    // If this fails, the next acknowledgement includes it.
    client.messages.ack(address, message.id).then(settle, settle)
  }, [client, store, id, address])

  useEffect(() => send, [send])

  return useCallback(
    (message) => {
      if (due.current !== null) clearTimeout(due.current.timer)
      const wait = sentAt.current + ACK_INTERVAL_MS - Date.now()
      due.current = { message, timer: setTimeout(send, Math.max(0, wait)) }
    },
    [send],
  )
}

function isAtPresent(timeline: Timeline | undefined): boolean {
  return timeline !== undefined && !timeline.hasNewer && timeline.missedAfter === null
}

/** Returns true if the window is visible and focused. */
export function useFocused(): boolean {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener('focus', changed)
      window.addEventListener('blur', changed)
      document.addEventListener('visibilitychange', changed)
      return () => {
        window.removeEventListener('focus', changed)
        window.removeEventListener('blur', changed)
        document.removeEventListener('visibilitychange', changed)
      }
    },
    () => document.visibilityState === 'visible' && document.hasFocus(),
  )
}
