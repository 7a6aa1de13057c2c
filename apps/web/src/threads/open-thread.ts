import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'

interface OpenThread {
  readonly channelId: string
  /** The message that the thread begins with. */
  readonly threadId: string
  /** What had the focus before. */
  readonly from: Element | null
}

const sessions = new WeakMap<Session, StoreApi<OpenThread | null>>()

function openOf(session: Session): StoreApi<OpenThread | null> {
  const known = sessions.get(session) ?? createStore<OpenThread | null>(() => null)
  sessions.set(session, known)
  return known
}

/** The thread that is open beside a channel; null while none is. */
export function useOpenThread(channelId: string): string | null {
  return useStore(openOf(useSession()), (now) => (now?.channelId === channelId ? now.threadId : null))
}

/** Whether one is open, beside whatever channel. */
export function useHasThread(): boolean {
  return useStore(openOf(useSession()), (now) => now !== null)
}

export function openThread(session: Session, channelId: string, threadId: string): void {
  openOf(session).setState({ channelId, threadId, from: document.activeElement }, true)
}

/** Closes it, and has the focus where it was before. */
export function closeThread(session: Session): void {
  const from = openOf(session).getState()?.from
  dropThread(session)
  if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true })
}

/** Closes it where something else takes its place: the focus stays on what was pressed for that. */
export function dropThread(session: Session): void {
  openOf(session).setState(null, true)
}
