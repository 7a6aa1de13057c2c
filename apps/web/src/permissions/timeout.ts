import type { Member } from '@foyer/protocol/members'
import { useEffect, useState } from 'react'
import { serverNow } from '#src/ui/time/server-clock.ts'

/** Longest delay of a timer in browsers. A longer one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Returns the end of the member's timeout in milliseconds since 1970, or null if they are not timed out. */
export function timeoutEnd(member: Partial<Pick<Member, 'timeout_until'>> | undefined): number | null {
  const end = Date.parse(member?.timeout_until ?? '')
  return end > serverNow() ? end : null
}

/** `timeoutEnd`, rendered again when the timeout ends. */
export function useTimeoutEnd(member: Partial<Pick<Member, 'timeout_until'>> | undefined): number | null {
  const [round, setRound] = useState(0)
  const end = timeoutEnd(member)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a timeout longer than a timer takes several rounds
  useEffect(() => {
    if (end === null) return
    const delay = Math.min(Math.max(0, end - serverNow()) + 1, MAX_TIMER_MS)
    const timer = setTimeout(() => setRound((count) => count + 1), delay)
    return () => clearTimeout(timer)
  }, [end, round])
  return end
}
