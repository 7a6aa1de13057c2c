import { useEffect, useState } from 'react'
import { serverNow } from './server-clock.ts'

/** Current server time in milliseconds since 1970, updated at the given interval. */
export function useNow(stepMs: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), stepMs)
    return () => clearInterval(timer)
  }, [stepMs])
  return now
}
