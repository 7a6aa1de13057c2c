import { useEffect, useState } from 'react'
import { serverNow } from './server-clock.ts'

/** Longest delay of a timer in browsers. A longer one fires immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Returns the time while it is in the future, and renders again when it has passed.
 * @param end milliseconds since 1970, on the server's clock
 * @returns null if the time has passed or `end` is null
 */
export function useEnd(end: number | null): number | null {
  const [round, setRound] = useState(0)
  const left = end === null ? 0 : end - serverNow()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a time further away than a timer takes several rounds
  useEffect(() => {
    if (end === null) return
    const delay = Math.min(end - serverNow() + 1, MAX_TIMER_MS)
    if (delay <= 0) return
    const timer = setTimeout(() => setRound((count) => count + 1), delay)
    return () => clearTimeout(timer)
  }, [end, round])
  return left > 0 ? end : null
}
