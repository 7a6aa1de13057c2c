import { useAppState } from '#src/session/context.ts'
import { statusOf, statusText } from '#src/store/presences.ts'
import { presenceWords } from './words.ts'

/** Whether somebody is there, and what they say of themselves. */
export function PersonLine({ user }: { user: { id: string; custom: string } }) {
  const status = useAppState((state) => statusOf(state, user.id))
  const said = useAppState((state) => statusText(state, user))
  return [status && presenceWords[status], said].filter(Boolean).join(' · ')
}
