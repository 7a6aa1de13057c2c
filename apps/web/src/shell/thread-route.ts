import type { Room } from '@foyer/protocol/rooms'
import { useEffect, useRef, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { useAppState, useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import type { ThreadEntry } from '#src/store/state.ts'
import { textRoomOf, useIsBeside } from '#src/thread-rooms/in-use/beside.ts'

/** A thread beside its room. */
export interface Beside {
  readonly room: Room
  readonly thread: ThreadEntry
  /** True if the URL is that of a message in the room, not of the thread. */
  readonly isInRoom: boolean
  readonly isGone: boolean
}

/**
 * Returns the thread that is shown beside its room. The thread stays while the URL briefly names a message of the room, and after
 * the thread was deleted.
 */
export function useThreadBeside(id: string, messageId: string | undefined): Beside | null {
  const isBeside = useIsBeside()
  const known = useAppState((state) => state.threads[id])
  const last = useRef<ThreadEntry>(undefined)
  const isInRoom = messageId !== undefined && last.current?.parent_id === id
  const thread = known ?? (isInRoom || last.current?.id === id ? last.current : undefined)
  const room = useAppState((state) => textRoomOf(state, thread))
  const isShown = isBeside && thread !== undefined && room !== undefined
  last.current = isShown ? thread : undefined
  return isShown ? { room, thread, isInRoom, isGone: known === undefined && !isInRoom } : null
}

/** When the open thread is merged into another, opens that thread. A message in the URL has moved there, too. */
export function useMerge(id: string): void {
  const { gateway } = useSession().client
  useEffect(
    () =>
      gateway.on('THREAD_DELETE', ({ id: deletedId, merged_into }) => {
        const { pathname } = window.location
        if (deletedId !== id || merged_into === undefined || !pathname.includes(id)) return
        navigate(pathname.replace(id, merged_into), { replace: true })
      }),
    [gateway, id],
  )
}

/** Requests the thread that an unknown id may belong to. @returns true until the server has answered */
export function useThread(id: string | null): boolean {
  const session = useSession()
  const [answeredId, setAnsweredId] = useState<string | null>(null)
  useEffect(() => {
    if (id === null) return
    const request = new AbortController()
    void loadThread(session, id, request.signal).then(() => setAnsweredId(id))
    return () => request.abort()
  }, [session, id])
  return id !== null && answeredId !== id
}

async function loadThread(session: Session, id: string, signal: AbortSignal): Promise<void> {
  try {
    const loading = await import('#src/thread-rooms/in-use/loading.ts')
    await loading.loadOpened(session, id, signal)
  } catch {
    // The page then shows that the thread does not exist.
  }
}
