import { useState } from 'react'
import { errorMessage, type Words } from './form-errors.ts'

export interface Action {
  readonly pending: boolean
  readonly error: string | null
  /** Does the work, unless some is under way. */
  run(work: () => Promise<unknown>): void
}

/** What a button does, one thing at a time: whether it is under way, and why it did not work. */
export function useAction(words?: Words): Action {
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<string | null>(null)

  async function run(work: () => Promise<unknown>) {
    if (pending) return
    setPending(true)
    setError(null)
    try {
      await work()
    } catch (thrown) {
      setError(errorMessage(thrown, words))
    }
    setPending(false)
  }

  return { pending, error, run: (work) => void run(work) }
}
