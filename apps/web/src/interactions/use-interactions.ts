import { useStore } from 'zustand'
import { useSession } from '#src/session/context.ts'
import type { InteractionsState } from './interaction-state.ts'
import { Interactions } from './interactions.ts'

/** Where bots are asked. */
export function useInteractions(): Interactions {
  return Interactions.of(useSession())
}

/** What `select` answers; it must answer the same object while nothing changed. */
export function useInteractionsState<T>(select: (state: InteractionsState) => T): T {
  return useStore(useInteractions().api, select)
}
