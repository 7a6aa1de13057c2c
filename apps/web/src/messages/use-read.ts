import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import type { Timeline } from '#src/store/state.ts'

/** The server counts requests by the minute: reading along in a busy room must not use them up. */
const ACK_INTERVAL_MS = 1500

/** Tells the server how far the room is read, while its newest message is in view and the window in front. */
export function useRead(roomId: string, atBottom: boolean): void {
  const { store } = useSession()
  const isFocused = useFocused()
  const isPresent = useAppState((state) => isAtPresent(state.timelines[roomId]))
  const newestId = useAppState((state) => state.timelines[roomId]?.messages.at(-1)?.id)
  const lastSeq = useAppState((state) => state.rooms[roomId]?.last_seq ?? 0)
  const readSeq = useAppState((state) => state.readSeqs[roomId] ?? 0)
  const due = isFocused && atBottom && isPresent && lastSeq > readSeq
  const acknowledge = useAcknowledge(roomId)

  useEffect(() => {
    if (!due) return
    // Here it counts at once, so that nothing looks unread that is being read.
    const read = { room_id: roomId, conversation_id: null, last_read_seq: lastSeq, mention_count: 0 }
    store.adopt('MESSAGE_ACK', read)
    if (newestId !== undefined) acknowledge(newestId)
  }, [store, roomId, newestId, lastSeq, due, acknowledge])
}

/** Tells the server the newest of what it is given, as often as it is worth, and the last when the room is left. */
function useAcknowledge(roomId: string): (messageId: string) => void {
  const { client } = useSession()
  const due = useRef<{ id: string; timer: ReturnType<typeof setTimeout> } | null>(null)
  const told = useRef({ id: '', at: 0 })

  const tell = useCallback(() => {
    if (due.current === null) return
    const { id, timer } = due.current
    clearTimeout(timer)
    due.current = null
    told.current = { id, at: Date.now() }
    // What is not told now is told with the next message.
    client.messages.ack(roomId, id).catch(() => undefined)
  }, [client, roomId])

  useEffect(() => tell, [tell])

  return useCallback(
    (id) => {
      if (id === told.current.id) return
      if (due.current !== null) clearTimeout(due.current.timer)
      const wait = told.current.at + ACK_INTERVAL_MS - Date.now()
      due.current = { id, timer: setTimeout(tell, Math.max(0, wait)) }
    },
    [tell],
  )
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
