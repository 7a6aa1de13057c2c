import type { InvitePreview } from '@foyer/protocol/invites'
import { ApiError } from '@foyer/sdk/rest'
import { useEffect, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'

export type InviteLookup =
  | { state: 'loading' }
  | { state: 'found'; invite: InvitePreview }
  | { state: 'gone' }
  | { state: 'failed'; message: string }

/** Loads the preview of an invite, signed in or not. */
export function useInvite(code: string): InviteLookup {
  const { client } = useSession()
  const [lookup, setLookup] = useState<InviteLookup>({ state: 'loading' })

  useEffect(() => {
    let current = true
    setLookup({ state: 'loading' })
    client.invites.get(code).then(
      (invite) => current && setLookup({ state: 'found', invite }),
      (error) => current && setLookup(failure(error)),
    )
    return () => {
      current = false
    }
  }, [client, code])

  return lookup
}

function failure(error: unknown): InviteLookup {
  const gone = error instanceof ApiError && (error.status === 404 || error.status === 400)
  return gone ? { state: 'gone' } : { state: 'failed', message: errorMessage(error) }
}
