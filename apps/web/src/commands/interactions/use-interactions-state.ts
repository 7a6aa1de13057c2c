import { useStore } from 'zustand'
import { useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import { fetchedSoon } from '#src/ui/loading/lazy-popup.tsx'
import type { InteractionsState } from './interaction-state.ts'
import { interactionsOf } from './interaction-store.ts'

const loadInteractions = fetchedSoon(() => import('./interactions.ts').then((module) => module.Interactions))

const listening = new WeakSet<Session>()

/** @param select must return the same object while nothing changes */
export function useInteractionsState<T>(select: (state: InteractionsState) => T): T {
  const session = useSession()
  listen(session)
  return useStore(interactionsOf(session), select)
}

/**
 * Subscribes to updates as soon as the first component that shows them renders: bots may respond before the code that handles
 * responses has loaded.
 */
function listen(session: Session): void {
  if (listening.has(session)) return
  listening.add(session)
  session.client.gateway.on('INTERACTION_UPDATE', (update) => {
    loadInteractions().then(
      (Interactions) => Interactions.of(session).handleUpdate(update),
      // Starting an interaction needs the same code. If the code fails to load, this page has started no interaction.
      () => undefined,
    )
  })
}
