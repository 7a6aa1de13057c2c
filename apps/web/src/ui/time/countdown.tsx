import { useState } from 'react'
import { formatWait } from './ago.ts'
import { useNow } from './use-now.ts'

interface CountdownProps {
  /** Milliseconds on the server's clock. */
  until: number
  /** @param time such as "in 40 seconds" */
  words: (time: string) => string
}

/** A visible countdown. In a live region, screen readers announce only its first value. */
export function Countdown({ until, words }: CountdownProps) {
  const now = useNow(1000)
  const [announced] = useState(() => words(formatWait(until - now)))
  if (until <= now) return null
  return (
    <>
      <span className="visually-hidden">{announced}</span>
      <span className="typing-names" aria-hidden="true">
        {words(formatWait(until - now))}
      </span>
    </>
  )
}
