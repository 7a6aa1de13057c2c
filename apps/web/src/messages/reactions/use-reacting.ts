import type { Message } from '@foyer/protocol/messages'
import { useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { fetchedSoon } from '#src/ui/loading/lazy-popup.tsx'

const loadToggle = fetchedSoon(() => import('./toggle-reaction.ts'))

/** Toggles reactions to a message and reports errors. */
export function useReacting(message: Message) {
  const session = useSession()
  const [problem, setProblem] = useState<string | null>(null)

  function react(written: string) {
    setProblem(null)
    loadToggle()
      .then(({ reactionKey, toggleReaction }) => toggleReaction(session, message, reactionKey(written)))
      .catch((error) => setProblem(errorMessage(error)))
  }

  return { react, problem, setProblem }
}
