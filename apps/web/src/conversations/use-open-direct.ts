import { useLocation } from 'wouter'
import { useSession } from '#src/session/context.ts'
import { type Action, useAction } from '#src/ui/fields/use-action.ts'
import { conversationPath, openDirect } from './actions.ts'
import { conversationWords } from './words.ts'

interface OpenDirect extends Omit<Action, 'run'> {
  /** @param onOpened called after the conversation is open */
  readonly open: (userId: string, onOpened?: (conversationId: string) => void) => void
}

/** Opens the direct conversation with a user. */
export function useOpenDirect(): OpenDirect {
  const session = useSession()
  const [, navigate] = useLocation()
  const { pending, error, run } = useAction(conversationWords)
  const open: OpenDirect['open'] = (userId, onOpened) =>
    run(async () => {
      const { id } = await openDirect(session, userId)
      navigate(conversationPath(id))
      onOpened?.(id)
    })
  return { pending, error, open }
}
