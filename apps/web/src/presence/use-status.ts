import type { ChosenStatus } from '@foyer/protocol/presence'
import { useRef, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'

export interface StatusChoice {
  readonly status: ChosenStatus
  readonly error: string | null
  choose(status: ChosenStatus): void
}

/** The status that the user chose for all of their devices. A choice shows at once, and the last of several is saved. */
export function useStatus(): StatusChoice {
  const { client, store } = useSession()
  const chosen = useAppState((state) => state.chosenStatus)
  const [wanted, setWanted] = useState<ChosenStatus | null>(null)
  const [error, setError] = useState<string | null>(null)
  const unsaved = useRef<ChosenStatus | null>(null)
  const isSaving = useRef(false)

  async function save() {
    if (isSaving.current) return
    isSaving.current = true
    setError(null)
    try {
      // Arrow keys may choose another status before the server has answered.
      while (unsaved.current !== null) {
        const status = unsaved.current
        unsaved.current = null
        store.adopt('STATUS_UPDATE', await client.users.chooseStatus(status))
      }
    } catch (thrown) {
      unsaved.current = null
      setError(errorMessage(thrown))
    }
    isSaving.current = false
    setWanted(null)
  }

  return {
    status: wanted ?? chosen,
    error,
    choose: (status) => {
      unsaved.current = status
      setWanted(status)
      void save()
    },
  }
}
