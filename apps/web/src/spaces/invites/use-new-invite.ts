import type { CreateInviteBody } from '@foyer/protocol/invites'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import { inviteLink } from './invite-link.ts'

/** Limits of an invite, 0 for none, and whether memberships are temporary. */
export type InviteLimits = Required<Pick<CreateInviteBody, 'max_age' | 'max_uses' | 'temporary'>>

export interface NewInvite {
  readonly value: string
  readonly error: string | null
  /**
   * Creates an invite whose link has the name, and shows it instead of the current one.
   * @throws ApiError if the name is taken or not allowed
   */
  setName(name: string): Promise<void>
}

interface Made {
  readonly value: string
  readonly error: string | null
}

const UNDER_WAY: Made = { value: '', error: null }

/** Creates one invite for each combination of limits and reuses it. */
export function useNewInvite(spaceId: string, roomId: string, limits: InviteLimits): NewInvite {
  const { client } = useSession()
  const [links, setLinks] = useState<Readonly<Record<string, Made>>>({})
  const begun = useRef(new Set<string>())
  const { max_age, max_uses, temporary } = limits
  const key = `${max_age}/${max_uses}/${temporary}`

  const keep = useCallback((of: string, made: Made) => setLinks((before) => ({ ...before, [of]: made })), [])

  useEffect(() => {
    // Effects may run twice, but only one invite is needed.
    if (begun.current.has(key)) return
    begun.current.add(key)
    client.invites.create(spaceId, roomId, { max_age, max_uses, temporary }).then(
      (invite) => keep(key, { value: inviteLink(invite.code), error: null }),
      (error) => keep(key, { value: '', error: errorMessage(error) }),
    )
  }, [client, spaceId, roomId, max_age, max_uses, temporary, key, keep])

  const setName = useCallback(
    async (name: string) => {
      const invite = await client.invites.create(spaceId, roomId, { max_age, max_uses, temporary, name })
      keep(key, { value: inviteLink(invite.code), error: null })
    },
    [client, spaceId, roomId, max_age, max_uses, temporary, key, keep],
  )

  return { ...(links[key] ?? UNDER_WAY), setName }
}
