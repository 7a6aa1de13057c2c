import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'

interface OpenThread {
  readonly channelId: string
  /** The thread's first message. */
  readonly threadId: string
  /** Element that had the focus before the thread was opened. */
  readonly from: Element | null
}

const sessions = new WeakMap<Session, StoreApi<OpenThread | null>>()

function openOf(session: Session): StoreApi<OpenThread | null> {
  const known = sessions.get(session) ?? createStore<OpenThread | null>(() => null)
  sessions.set(session, known)
  return known
}

/** Returns the id of the thread that is open beside a channel; null if none is open. */
export function useOpenThread(channelId: string): string | null {
  return useStore(openOf(useSession()), (now) => (now?.channelId === channelId ? now.threadId : null))
}

/** Returns true if a thread is open beside any channel. */
export function useHasThread(): boolean {
  return useStore(openOf(useSession()), (now) => now !== null)
}

export function openThread(session: Session, channelId: string, threadId: string): void {
  openOf(session).setState({ channelId, threadId, from: document.activeElement }, true)
}

/** Closes the thread and restores the focus. */
export function closeThread(session: Session): void {
  const from = openOf(session).getState()?.from
  dropThread(session)
  if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true })
}

/** Closes the thread because another panel replaces it. The focus stays on the control that was used. */
export function dropThread(session: Session): void {
  openOf(session).setState(null, true)
}
