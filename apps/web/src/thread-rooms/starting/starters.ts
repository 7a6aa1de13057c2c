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
