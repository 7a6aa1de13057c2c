import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { isUnread } from '#src/store/selectors.ts'
import type { Timeline } from '#src/store/state.ts'

/** The server counts requests by the minute: reading along in a busy room must not use them up. */
const ACK_INTERVAL_MS = 1500

/** Tells the server how far the channel is read, while its newest message is in view and the window in front. */
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
    // What one wrote oneself is not unread for the server either: that alone need not be told.
    const { me, readStates } = store.get()
    const told = readStates[id]?.acked_seq ?? 0
    const isNews = messages.some(({ seq, author }) => seq > told && author.id !== me?.id)
    if (!unread && !isNews) return
    // Here it counts at once, so that nothing looks unread that is being read.
    store.dispatch('channel_read', { channel_id: id, seq: newest.seq })
    acknowledge({ id: newest.id, seq: newest.seq })
  }, [store, id, messages, due, unread, acknowledge])
}

interface Told {
  readonly id: string
  readonly seq: number
}

/** Tells the server the newest of what it is given, as often as it is worth, and the last when the channel is left. */
function useAcknowledge({ id, address }: Pick<OpenChannel, 'id' | 'address'>): (message: Told) => void {
  const { client, store } = useSession()
  const due = useRef<{ message: Told; timer: ReturnType<typeof setTimeout> } | null>(null)
  const toldAt = useRef(0)

  const tell = useCallback(() => {
    if (due.current === null) return
    const { message, timer } = due.current
    clearTimeout(timer)
    due.current = null
    toldAt.current = Date.now()
    const settle = () => store.dispatch('read_settled', { channel_id: id, seq: message.seq })
    // What is not told now is told with the next message.
    client.messages.ack(address, message.id).then(settle, settle)
  }, [client, store, id, address])

  useEffect(() => tell, [tell])

  return useCallback(
    (message) => {
      if (due.current !== null) clearTimeout(due.current.timer)
      const wait = toldAt.current + ACK_INTERVAL_MS - Date.now()
      due.current = { message, timer: setTimeout(tell, Math.max(0, wait)) }
    },
    [tell],
  )
}

function isAtPresent(timeline: Timeline | undefined): boolean {
  return timeline !== undefined && !timeline.hasNewer && timeline.missedAfter === null
}

/** Whether the window is visible and in front. */
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
