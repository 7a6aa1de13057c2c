import type { Member } from '@foyer/protocol/members'
import { serverNow } from '#src/ui/time/server-clock.ts'
import { useEnd } from '#src/ui/time/use-end.ts'

type MaybeTimedOut = Partial<Pick<Member, 'timeout_until'>>

/** Returns the end of the member's timeout in milliseconds since 1970, or null if they are not timed out. */
export function timeoutEnd(member: MaybeTimedOut | undefined): number | null {
  const end = Date.parse(member?.timeout_until ?? '')
  return end > serverNow() ? end : null
}

/** Returns `timeoutEnd`, and rerenders the component when the timeout ends. */
export function useTimeoutEnd(member: MaybeTimedOut | undefined): number | null {
  return useEnd(timeoutEnd(member))
}
