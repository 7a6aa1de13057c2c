import type { Report } from '@foyer/protocol/reports'
import { personName } from '#src/store/users.ts'

/** Returns the name of the author, the user or the space; null if the report's copy does not contain it. */
export function nameOfReported({ target_type, target_id, copy }: Report): string | null {
  if (target_type === 'space') return copy.space?.name ?? null
  const message = copy.messages.find(({ id }) => id === target_id)
  const user = target_type === 'user' ? copy.user : message?.author
  return user ? personName(user) : null
}
