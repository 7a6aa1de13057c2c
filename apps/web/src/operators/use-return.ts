import { useEffect } from 'react'

/**
 * Runs the work when the user returns to this window.
 * @param work must be memoized, since a new function is subscribed again
 */
export function useReturn(work: () => void): void {
  useEffect(() => {
    window.addEventListener('focus', work)
    return () => window.removeEventListener('focus', work)
  }, [work])
}
