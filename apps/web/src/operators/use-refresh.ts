import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useEffect, useRef } from 'react'
import { type Asked, useAnswer } from '#src/session/use-answer.ts'
import { useReturn } from './use-return.ts'
import { operatorWords } from './words.ts'

const MINUTE_MS = 60_000
const BUSY_MS = 2000

/**
 * Requests data. Repeats the request every minute while the page is visible, and when the user returns to it. The minute begins
 * when the answer arrives. A running request is never replaced, because a slow request would then never be answered.
 * @param ask sends the request; a new function is called at once
 * @param isBusy returns true for an answer that will change soon, so that the next request comes earlier
 */
export function useRefresh<T>(
  ask: (client: Client, options: CallOptions) => Promise<T>,
  isBusy?: (value: T) => boolean,
): Asked<T> {
  const pending = useRef(0)
  const counted = useCallback(
    (client: Client, options: CallOptions) => {
      pending.current += 1
      return ask(client, options).finally(() => {
        pending.current -= 1
      })
    },
    [ask],
  )
  const asked = useAnswer(counted, operatorWords)
  const { answer, again } = asked
  const refresh = useCallback(() => {
    if (pending.current === 0) again()
  }, [again])
  const everyMs = answer.state === 'here' && isBusy?.(answer.value) ? BUSY_MS : MINUTE_MS
  useReturn(refresh)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time begins with each answer
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refresh()
    }, everyMs)
    return () => clearInterval(timer)
  }, [refresh, everyMs, answer])
  return asked
}
