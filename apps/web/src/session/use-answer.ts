import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useEffect, useState } from 'react'
import { errorMessage, type Words } from '#src/ui/fields/form-errors.ts'
import { useSession } from './context.ts'

export type Answer<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'here'; readonly value: T }
  | { readonly state: 'failed'; readonly message: string }

export interface Asked<T> {
  readonly answer: Answer<T>
  /** True while the answer belongs to the previous request. */
  readonly isOutdated: boolean
  /** Repeats the request. The current answer stays until a new one arrives, even if the request fails. */
  again(): void
  /** Changes the answer, after a request that changed it on the server. Does nothing while the current request has no answer. */
  change(change: (value: T) => T): void
}

type Ask<T> = (client: Client, options: CallOptions) => Promise<T>

interface Given<T> {
  readonly ask: Ask<T>
  readonly answer: Answer<T>
}

/**
 * Requests data when a component is first shown, for that component only.
 * @param ask sends the request; a new function sends another request
 */
export function useAnswer<T>(ask: Ask<T>, words?: Words): Asked<T> {
  const { client } = useSession()
  const [given, setGiven] = useState<Given<T>>({ ask, answer: { state: 'loading' } })
  const [times, setTimes] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new count repeats the request, and the words never change
  useEffect(() => {
    const asking = new AbortController()
    const give = (answer: Answer<T>) => {
      if (!asking.signal.aborted) setGiven((now) => (isKept(now, ask, answer) ? now : { ask, answer }))
    }
    ask(client, { signal: asking.signal }).then(
      (value) => give({ state: 'here', value }),
      (error) => give({ state: 'failed', message: errorMessage(error, words) }),
    )
    return () => asking.abort()
  }, [client, ask, times])

  const again = useCallback(() => setTimes((count) => count + 1), [])
  const change = useCallback(
    (changed: (value: T) => T) => {
      setGiven((now) => {
        if (now.ask !== ask || now.answer.state !== 'here') return now
        return { ask, answer: { state: 'here', value: changed(now.answer.value) } }
      })
    },
    [ask],
  )
  const { answer } = given
  return { answer, isOutdated: answer.state !== 'loading' && given.ask !== ask, again, change }
}

/** Returns true if the previous answer stays visible, because the repeated request has failed. */
function isKept<T>(now: Given<T>, ask: Ask<T>, next: Answer<T>): boolean {
  return next.state === 'failed' && now.answer.state === 'here' && now.ask === ask
}
