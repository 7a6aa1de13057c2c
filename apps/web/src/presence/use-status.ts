import type { UserStatus } from '@foyer/protocol/presence'
import { useRef, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'

export interface StatusChoice extends UserStatus {
  readonly error: string | null
  choose(status: UserStatus): void
}

/**
 * The status that the user chose for all of their devices. A choice is shown immediately. Of several choices in quick succession,
 * the last one is saved.
 */
export function useStatus(): StatusChoice {
  const { client, store } = useSession()
  const status = useAppState((state) => state.chosenStatus)
  const status_until = useAppState((state) => state.chosenUntil)
  const [wanted, setWanted] = useState<UserStatus | null>(null)
  const [error, setError] = useState<string | null>(null)
  const unsaved = useRef<UserStatus | null>(null)
  const isSaving = useRef(false)

  async function save() {
    if (isSaving.current) return
    isSaving.current = true
    setError(null)
    try {
      // Arrow keys may choose another status before the server has answered.
      while (unsaved.current !== null) {
        const chosen = unsaved.current
        unsaved.current = null
        store.adopt('STATUS_UPDATE', await client.users.chooseStatus(chosen))
      }
    } catch (thrown) {
      unsaved.current = null
      setError(errorMessage(thrown))
    }
    isSaving.current = false
    setWanted(null)
  }

  return {
    ...(wanted ?? { status, status_until }),
    error,
    choose: (chosen) => {
      unsaved.current = chosen
      setWanted(chosen)
      void save()
    },
  }
}
