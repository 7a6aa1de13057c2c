import { useLocation } from 'wouter'
import { useSession } from '#src/session/context.ts'
import { type Action, useAction } from '#src/ui/use-action.ts'
import { conversationPath, openDirect } from './actions.ts'
import { conversationWords } from './words.ts'

/** Goes to the conversation with somebody. */
export function useOpenDirect(): Omit<Action, 'run'> & { open: (userId: string) => void } {
  const session = useSession()
  const [, navigate] = useLocation()
  const { pending, error, run } = useAction(conversationWords)
  const open = (userId: string) =>
    run(async () => navigate(conversationPath((await openDirect(session, userId)).id)))
  return { pending, error, open }
}
