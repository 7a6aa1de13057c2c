import type { Events } from '@foyer/protocol/events'
import type { InviteCode } from '@foyer/protocol/invites'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { Link2 } from 'lucide-react'
import { useCallback, useRef } from 'react'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { usePeople } from '#src/session/use-people.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { EmptyNote } from '#src/ui/empty-note.tsx'
import { InviteEntry } from './invite-entry.tsx'
import { useNow } from './use-now.ts'

/** The links that let people in, and how to end them. */
export function InvitesSection({ space }: { space: SpaceEntry }) {
  const { invites, error } = useInvites(space.id)
  const now = useNow()
  const list = useRef<HTMLUListElement>(null)
  const working = invites?.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now)
  usePeople(working?.map((invite) => invite.inviter_id) ?? NONE)
  if (error !== null)
    return (
      <p role="alert" className="form-error">
        {error}
      </p>
    )
  if (working === undefined) return <p className="settings-note">Loading…</p>
  if (working.length === 0)
    return (
      <EmptyNote icon={<Link2 />} title="No invite works at the moment">
        Links that people make with “Invite people” stand here until they end.
      </EmptyNote>
    )
  return (
    <ul ref={list} tabIndex={-1} className="settings-list" aria-label="Invites">
      {working.map((invite) => (
        <InviteEntry key={invite.id} space={space} invite={invite} now={now} focusAfter={list} />
      ))}
    </ul>
  )
}

const NONE: never[] = []

/** The working invites, newest first, as they come and go. */
function useInvites(spaceId: string): { invites: readonly InviteCode[] | undefined; error: string | null } {
  const ask = useCallback(
    (client: Client, options: CallOptions) => client.invites.list(spaceId, options),
    [spaceId],
  )
  const { answer, again, change } = useAnswer(ask)
  const onCreate = useCallback(
    (invite: Events['SPACE_INVITE_CREATE']) => {
      if (invite.space_id !== spaceId) return
      change((invites) => [invite, ...invites.filter(({ id }) => id !== invite.id)])
    },
    [spaceId, change],
  )
  const onDelete = useCallback(
    ({ invite_id }: Events['SPACE_INVITE_DELETE']) => {
      change((invites) => invites.filter(({ id }) => id !== invite_id))
    },
    [change],
  )
  useEvent('SPACE_INVITE_CREATE', onCreate)
  useEvent('SPACE_INVITE_DELETE', onDelete)
  // A session that begins anew may have missed some.
  useEvent('READY', again)
  return {
    invites: answer.state === 'here' ? answer.value : undefined,
    error: answer.state === 'failed' ? answer.message : null,
  }
}
