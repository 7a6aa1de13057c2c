import { useEffect, useState } from 'react'
import { serverNow } from './server-clock.ts'

/** The server's time, in milliseconds since 1970, taken anew every so many milliseconds. */
export function useNow(stepMs: number): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), stepMs)
    return () => clearInterval(timer)
  }, [stepMs])
  return now
}
