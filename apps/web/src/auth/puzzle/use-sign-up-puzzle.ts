import type { SigninBody } from '@foyer/protocol/auth'
import { useEffect, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { SignUpPuzzle } from './sign-up-puzzle.ts'
import { solveInWorkers } from './workers.ts'

export interface SigningUp {
  /** Solves the puzzle that the server requires, if any, and creates the account. */
  signUp: (body: SigninBody) => Promise<void>
  /** Explains the wait after the form was submitted. */
  note: string | undefined
}

/** @param isNeeded true to start solving the server's puzzle as soon as the form opens */
export function useSignUpPuzzle(isNeeded: boolean): SigningUp {
  const { client } = useSession()
  const puzzle = useRef<SignUpPuzzle>(undefined)
  const [isWorking, setIsWorking] = useState(false)

  useEffect(() => {
    const begun = new SignUpPuzzle(client, solveInWorkers)
    if (isNeeded) begun.begin()
    puzzle.current = begun
    return () => begun.close()
  }, [client, isNeeded])

  async function signUp(body: SigninBody) {
    if (puzzle.current === undefined) throw new Error('the form is not shown')
    try {
      await puzzle.current.signUp(body, () => setIsWorking(true))
    } finally {
      setIsWorking(false)
    }
  }

  return { signUp, note: isWorking ? t('Checking that you’re not a bot…') : undefined }
}
