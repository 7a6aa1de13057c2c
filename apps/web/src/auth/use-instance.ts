import type { Instance } from '@foyer/protocol/instance'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useEffect, useState } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'

/** As long as people see nothing for it; most servers are not new. */
const PATIENCE_MS = 800

const ask = ({ instance }: Client, options: CallOptions) => instance.get(options)

/** What the server tells of itself, once it did. */
export function useInstance(): Instance | undefined {
  const { answer } = useAnswer(ask)
  return answer.state === 'here' ? answer.value : undefined
}

/** Whether nobody has an account yet; undefined while that is asked, which ends soon. */
export function useIsEmpty(): boolean | undefined {
  const { answer } = useAnswer(ask)
  const [isPatient, setIsPatient] = useState(true)

  useEffect(() => {
    const timer = setTimeout(() => setIsPatient(false), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])

  if (answer.state === 'here') return answer.value.is_empty
  return answer.state === 'loading' && isPatient ? undefined : false
}
