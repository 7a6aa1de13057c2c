import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Session } from '#src/session/session.ts'
import type { InteractionsState } from './interaction-state.ts'

export const noInteractions: InteractionsState = { asks: [], ephemerals: {}, modal: null }

const sessions = new WeakMap<Session, StoreApi<InteractionsState>>()

/** Returns the state of the session's interactions. */
export function interactionsOf(session: Session): StoreApi<InteractionsState> {
  const known = sessions.get(session) ?? createStore(() => noInteractions)
  sessions.set(session, known)
  return known
}
