import type { Thread } from '@foyer/protocol/thread-rooms'
import { useCallback, useEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import { useSession } from '#src/session/context.ts'
import { useEvent } from '#src/session/use-event.ts'
import { threadsOfRoom } from '../list/thread-sources.ts'
import { useThreadList } from '../list/use-thread-list.ts'
import { useShownStarters } from './shown-starters.ts'
import { forgetOpened, openedRoomsOf, startersOf } from './starters.ts'

/**
 * Keeps the newest threads of recently opened rooms, and the threads of their loaded messages, to show them below the messages
 * that they began from. Renders nothing.
 */
export function KnownStarters() {
  const session = useSession()
  const rooms = useStore(openedRoomsOf(session))
  const forget = useCallback(() => forgetOpened(session), [session])
  useEvent('READY', forget)
  return rooms.map((roomId) => <RoomStarters key={roomId} roomId={roomId} />)
}

function RoomStarters({ roomId }: { roomId: string }) {
  const session = useSession()
  const source = useMemo(() => threadsOfRoom(roomId, 'all'), [roomId])
  const { answer, hasMore } = useThreadList(source)
  const threads = answer.state === 'here' ? answer.value.threads : undefined
  const older = useShownStarters(roomId, hasMore)

  useEffect(() => {
    if (threads === undefined) return
    startersOf(session).setState((now) => withThreads(now, roomId, [...older, ...threads]), true)
  }, [session, roomId, threads, older])

  return null
}

type Starters = Readonly<Record<string, Thread>>

/** Replaces the threads of a room. */
function withThreads(now: Starters, roomId: string, threads: readonly Thread[]): Starters {
  const others = Object.entries(now).filter(([, thread]) => thread.room_id !== roomId)
  const started = threads.flatMap((thread) =>
    thread.starter_message_id === null ? [] : [[thread.starter_message_id, thread] as const],
  )
  return Object.fromEntries([...others, ...started])
}
