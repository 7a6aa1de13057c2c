import { useLocation } from 'wouter'
import { useSession } from '#src/session/context.ts'
import { type Action, useAction } from '#src/ui/use-action.ts'
import { conversationPath, openDirect } from './actions.ts'
import { conversationWords } from './words.ts'

interface OpenDirect extends Omit<Action, 'run'> {
  /** @param onThere what is done there */
  readonly open: (userId: string, onThere?: (conversationId: string) => void) => void
}

/** Goes to the conversation with somebody. */
export function useOpenDirect(): OpenDirect {
  const session = useSession()
  const [, navigate] = useLocation()
  const { pending, error, run } = useAction(conversationWords)
  const open: OpenDirect['open'] = (userId, onThere) =>
    run(async () => {
      const { id } = await openDirect(session, userId)
      navigate(conversationPath(id))
      onThere?.(id)
    })
  return { pending, error, open }
}
