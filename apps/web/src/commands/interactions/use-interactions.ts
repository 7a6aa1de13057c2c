import { useStore } from 'zustand'
import { useSession } from '#src/session/context.ts'
import type { InteractionsState } from './interaction-state.ts'
import { Interactions } from './interactions.ts'

/** Returns the session's interactions. */
export function useInteractions(): Interactions {
  return Interactions.of(useSession())
}

/** @param select must return the same object while nothing changes */
export function useInteractionsState<T>(select: (state: InteractionsState) => T): T {
  return useStore(useInteractions().api, select)
}
