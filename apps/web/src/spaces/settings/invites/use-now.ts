import { useEffect, useState } from 'react'

const STEP_MS = 20_000

/** The time, in milliseconds of `Date.now()`, as fresh as what is told in minutes needs it. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), STEP_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
