import type { Thread } from '@foyer/protocol/thread-rooms'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'

/** Loaded threads by the message that they began from. */
type Starters = Readonly<Record<string, Thread>>

const sessions = new WeakMap<Session, StoreApi<Starters>>()

export function startersOf(session: Session): StoreApi<Starters> {
  const known = sessions.get(session) ?? createStore<Starters>(() => ({}))
  sessions.set(session, known)
  return known
}

/** Returns the thread that began from a message, if it is loaded. */
export function useStarted(messageId: string): Thread | undefined {
  return useStore(startersOf(useSession()), (now) => now[messageId])
}

/** Rooms whose threads are kept up to date, the one opened last first. */
const openedRooms = new WeakMap<Session, StoreApi<readonly string[]>>()
/** Maximum number of rooms kept up to date. Returning to one of them sends no request. */
const MAX_ROOMS = 20

export function openedRoomsOf(session: Session): StoreApi<readonly string[]> {
  const known = openedRooms.get(session) ?? createStore<readonly string[]>(() => [])
  openedRooms.set(session, known)
  return known
}

/** Loads the threads of a room that the user opens, unless they are loaded. */
export function noteOpened(session: Session, roomId: string): void {
  openedRoomsOf(session).setState(
    (now) => [roomId, ...now.filter((id) => id !== roomId)].slice(0, MAX_ROOMS),
    true,
  )
}

/** Forgets all rooms except the one opened last. Called after a lost session, so that only this room is requested again. */
export function forgetOpened(session: Session): void {
  const opened = openedRoomsOf(session)
  opened.setState((now) => now.slice(0, 1), true)
  const isKept = ([, { room_id }]: [string, Thread]) => opened.getState().includes(room_id)
  startersOf(session).setState((now) => Object.fromEntries(Object.entries(now).filter(isKept)), true)
}
