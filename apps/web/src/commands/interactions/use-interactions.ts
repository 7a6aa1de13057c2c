import { useSession } from '#src/session/context.ts'
import { Interactions } from './interactions.ts'

/** Returns the session's interactions. */
export function useInteractions(): Interactions {
  return Interactions.of(useSession())
}
