import type { Instance } from '@foyer/protocol/instance'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useEffect, useState } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'

/** Time to wait with a blank page for the answer. After that, assume the server has accounts, as most do. */
const PATIENCE_MS = 800

const ask = ({ instance }: Client, options: CallOptions) => instance.get(options)

/** Returns information about this instance; undefined until it has loaded. */
export function useInstance(): Instance | undefined {
  const { answer } = useAnswer(ask)
  return answer.state === 'here' ? answer.value : undefined
}

interface SoonKnown {
  /** Undefined at first; null if the request has failed, or the server has not answered within `PATIENCE_MS`. */
  readonly instance: Instance | null | undefined
  /** Requests the information again, because the server's rules may have changed. */
  readonly again: () => void
}

/** Returns information about this instance, for pages that stay blank until it arrives, but at most for `PATIENCE_MS`. */
export function useInstanceSoon(): SoonKnown {
  const { answer, again } = useAnswer(ask)
  const [isPatient, setIsPatient] = useState(true)

  useEffect(() => {
    const timer = setTimeout(() => setIsPatient(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])

  if (answer.state === 'here') return { instance: answer.value, again }
  return { instance: answer.state === 'loading' && isPatient ? undefined : null, again }
}
