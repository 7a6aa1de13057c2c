import type { Events } from '@foyer/protocol/events'
import type { InviteCode } from '@foyer/protocol/invites'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { Link2, UserPlus } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { usePeople } from '#src/session/use-people.ts'
import { inviteRoom } from '#src/spaces/landing.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { useNow } from '#src/ui/time/use-now.ts'
import { DoorNote } from '../../invites/door-note.tsx'
import { InviteDialog } from '../../invites/invite-dialog.tsx'
import { InviteEntry } from './invite-entry.tsx'

/** The active invites of the space, with controls to copy and revoke them. */
export function InvitesSection({ space }: { space: SpaceEntry }) {
  const { invites, error, again } = useInvites(space.id)
  const now = useNow(STEP_MS)
  const list = useRef<HTMLUListElement>(null)
  const working = invites?.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now)
  usePeople(working?.map((invite) => invite.inviter_id) ?? NONE)
  if (error !== null) return <LoadError message={error} again={again} />
  if (working === undefined) return <Skeleton />
  return (
    <>
      {space.door_closed_at !== null && <DoorNote />}
      {working.length === 0 ? (
        <EmptyNote icon={<Link2 />} title={t('No active invites')}>
          {t('Invite links that you and others create appear here.')}
        </EmptyNote>
      ) : (
        <ul ref={list} tabIndex={-1} className="settings-list" aria-label={t('Invites')}>
          {working.map((invite) => (
            <InviteEntry key={invite.id} space={space} invite={invite} now={now} focusAfter={list} />
          ))}
        </ul>
      )}
      <MakeInvite space={space} isFirst={working.length === 0} />
    </>
  )
}

function MakeInvite({ space, isFirst }: { space: SpaceEntry; isFirst: boolean }) {
  const rooms = useAppState((state) => state.rooms)
  const room = useMemo(() => inviteRoom(rooms, space, null), [rooms, space])
  const [isOpen, setIsOpen] = useState(false)
  if (room === undefined) return null
  return (
    <div className="settings-actions">
      <Button look={isFirst ? 'primary' : 'quiet'} onClick={() => setIsOpen(true)}>
        <UserPlus aria-hidden="true" /> {t('Invite people')}
      </Button>
      {isOpen && (
        <InviteDialog
          spaceId={space.id}
          spaceName={space.name}
          roomId={room.id}
          roomName={roomName(room)}
          onClose={() => setIsOpen(false)}
        />
      )}
    </div>
  )
}

/** Refresh interval of the remaining times, which are shown in minutes. */
const STEP_MS = 20_000
const NONE: never[] = []

interface Invites {
  /** Undefined while loading. */
  readonly invites: readonly InviteCode[] | undefined
  readonly error: string | null
  again(): void
}

/** The invites of a space, newest first, kept up to date. */
function useInvites(spaceId: string): Invites {
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
  // Events may have been missed while disconnected.
  useEvent('READY', again)
  return {
    invites: answer.state === 'here' ? answer.value : undefined,
    error: answer.state === 'failed' ? answer.message : null,
    again,
  }
}
