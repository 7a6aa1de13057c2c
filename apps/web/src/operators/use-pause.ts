import { useEffect, useState } from 'react'

/** Pause in typing after which the server receives a request. */
const PAUSE_MS = 250

/** Returns the text once the user has stopped typing; an empty text immediately. */
export function usePause(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
