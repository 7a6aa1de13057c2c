import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useEffect, useState } from 'react'
import { errorMessage, type Words } from '#src/ui/form-errors.ts'
import { useSession } from './context.ts'

export type Answer<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'here'; readonly value: T }
  | { readonly state: 'failed'; readonly message: string }

export interface Asked<T> {
  readonly answer: Answer<T>
  /** Asks once more; what is shown stays until then. */
  again(): void
  /** Changes what was answered, after a request that changed it there. */
  change(change: (value: T) => T): void
}

type Ask<T> = (client: Client, options: CallOptions) => Promise<T>

/**
 * What the server answers to a question that is asked when it is first shown, and is of no interest elsewhere.
 * @param ask the same function for the same question: another one is asked anew
 */
export function useAnswer<T>(ask: Ask<T>, words?: Words): Asked<T> {
  const { client } = useSession()
  const [answer, setAnswer] = useState<Answer<T>>({ state: 'loading' })
  const [times, setTimes] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the count asks again, the words never change
  useEffect(() => {
    const asking = new AbortController()
    ask(client, { signal: asking.signal }).then(
      (value) => asking.signal.aborted || setAnswer({ state: 'here', value }),
      (error) => asking.signal.aborted || setAnswer({ state: 'failed', message: errorMessage(error, words) }),
    )
    return () => asking.abort()
  }, [client, ask, times])

  const again = useCallback(() => setTimes((count) => count + 1), [])
  const change = useCallback((changed: (value: T) => T) => {
    setAnswer((now) => (now.state === 'here' ? { state: 'here', value: changed(now.value) } : now))
  }, [])
  return { answer, again, change }
}
