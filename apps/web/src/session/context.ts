import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import type { State } from '#src/store/state.ts'
import type { Session } from './session.ts'

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('there is no session around this component')
  return session
}

/** Returns the result of `select`, which must return the same object until its value changes. */
export function useAppState<T>(select: (state: State) => T): T {
  return useStore(useSession().store.api, select)
}
