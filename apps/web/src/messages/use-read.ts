import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import type { Timeline } from '#src/store/state.ts'

/** The server counts requests by the minute: reading along in a busy room must not use them up. */
const ACK_INTERVAL_MS = 1500

/** Tells the server how far the room is read, while its newest message is in view and the window in front. */
export function useRead(roomId: string, atBottom: boolean): void {
  const { client, store } = useSession()
  const isFocused = useFocused()
  const isPresent = useAppState((state) => isAtPresent(state.timelines[roomId]))
  const newestId = useAppState((state) => state.timelines[roomId]?.messages.at(-1)?.id)
  const lastSeq = useAppState((state) => state.rooms[roomId]?.last_seq ?? 0)
  const readSeq = useAppState((state) => state.readSeqs[roomId] ?? 0)
  const due = isFocused && atBottom && isPresent && lastSeq > readSeq
  const lastAck = useRef({ seq: 0, at: 0 })

  useEffect(() => {
    if (!due || lastAck.current.seq === lastSeq) return
    const acknowledge = () => {
      lastAck.current = { seq: lastSeq, at: Date.now() }
      const read = { room_id: roomId, conversation_id: null, last_read_seq: lastSeq, mention_count: 0 }
      store.adopt('MESSAGE_ACK', read)
      // What is not told now is told with the next message.
      if (newestId !== undefined) client.messages.ack(roomId, newestId).catch(() => undefined)
    }
    const wait = lastAck.current.at + ACK_INTERVAL_MS - Date.now()
    const timer = setTimeout(acknowledge, Math.max(0, wait))
    return () => clearTimeout(timer)
  }, [client, store, roomId, newestId, lastSeq, due])
}

function isAtPresent(timeline: Timeline | undefined): boolean {
  return timeline !== undefined && !timeline.hasNewer && timeline.missedAfter === null
}

/**
 * The `seq` after which messages are new to the reader: what was unread when the room was opened, or came
 * while the window was not looked at. It stays until the reader writes or opens the room again.
 */
export function useNewAfter(roomId: string): { newAfterSeq: number | null; clear: () => void } {
  const { store } = useSession()
  const isFocused = useFocused()
  const [newAfterSeq, setNewAfterSeq] = useState<number | null>(() => unreadFrom(roomId))
  const readSeq = useAppState((state) => state.readSeqs[roomId] ?? 0)

  useEffect(() => {
    if (!isFocused) setNewAfterSeq(readSeq)
  }, [isFocused, readSeq])

  return { newAfterSeq, clear: () => setNewAfterSeq(null) }

  function unreadFrom(id: string): number | null {
    const { rooms, readSeqs } = store.get()
    const read = readSeqs[id] ?? 0
    return read > 0 && (rooms[id]?.last_seq ?? 0) > read ? read : null
  }
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
