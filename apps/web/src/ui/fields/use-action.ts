import { useState } from 'react'
import { errorMessage, type Words } from './form-errors.ts'

export interface Action {
  readonly pending: boolean
  readonly error: string | null
  /** Runs the work, unless some is already pending. */
  run(work: () => Promise<unknown>): void
}

/** Runs a button's work, one at a time, with its pending state and error. */
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
