import { useAppState } from '#src/session/context.ts'
import { statusOf, statusText } from '#src/store/presences.ts'
import { presenceWords } from './words.ts'

/** A user's presence and status text. */
export function PersonLine({ user }: { user: { id: string; custom: string } }) {
  const status = useAppState((state) => statusOf(state, user.id))
  const text = useAppState((state) => statusText(state, user))
  return [status && presenceWords[status], text].filter(Boolean).join(' · ')
}
