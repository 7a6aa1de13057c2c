import { Suspense, useMemo } from 'react'
import { NotificationDialog } from '#src/notifications/notification-dialog.tsx'
import { roomName } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { AboutSpace } from './about-space.tsx'
import { InviteDialog } from './invites/invite-dialog.tsx'
import { inviteRoom, newRoomCategory } from './landing.ts'
import { LeaveSpace } from './leave-space.tsx'

const SpaceSettings = lazyComponent(() =>
  import('./settings/space-settings.tsx').then((module) => module.SpaceSettings),
)
const CloseDoorDialog = lazyComponent(() =>
  import('./door/close-door-dialog.tsx').then((module) => module.CloseDoorDialog),
)
const NicknameDialog = lazyComponent(() =>
  import('#src/members/actions/nickname-dialog.tsx').then((module) => module.NicknameDialog),
)
const ReportSpace = lazyComponent(() =>
  import('#src/reports/making/report-space.tsx').then((module) => module.ReportSpace),
)
const CreateRoomDialog = lazyComponent(() =>
  import('#src/rooms/creation/create-room-dialog.tsx').then((module) => module.CreateRoomDialog),
)

export interface SpaceDialog {
  readonly kind:
    | 'about'
    | 'invite'
    | 'room'
    | 'settings'
    | 'door'
    | 'reports'
    | 'bans'
    | 'close-door'
    | 'notifications'
    | 'nickname'
    | 'report'
    | 'leave'
  readonly spaceId: string
  /** The room that the user is in, if it belongs to the space. */
  readonly roomId: string | null
}

interface SpaceDialogsProps {
  dialog: SpaceDialog
  onClose: () => void
}

/** The open dialog of a space. It closes if the space is deleted or left. */
export function SpaceDialogs({ dialog: { kind, spaceId, roomId }, onClose }: SpaceDialogsProps) {
  const me = useAppState((state) => state.me)
  const space = useAppState((state) => state.spaces[spaceId])
  if (space === undefined) return null
  return (
    <Suspense>
      {kind === 'about' && <AboutSpace space={space} onClose={onClose} />}
      {kind === 'invite' && <Invite space={space} currentRoomId={roomId} onClose={onClose} />}
      {kind === 'room' && <CreateRoom space={space} currentRoomId={roomId} onClose={onClose} />}
      {kind === 'settings' && <SpaceSettings space={space} onClose={onClose} />}
      {(kind === 'door' || kind === 'reports' || kind === 'bans') && (
        <SpaceSettings space={space} initialId={kind} onClose={onClose} />
      )}
      {kind === 'close-door' && <CloseDoorDialog space={space} onClose={onClose} />}
      {kind === 'notifications' && (
        <NotificationDialog target={{ scope: 'space', id: space.id, name: space.name }} onClose={onClose} />
      )}
      {kind === 'nickname' && (
        <NicknameDialog
          space={space}
          member={space.member}
          username={me?.alias ?? me?.username ?? ''}
          onClose={onClose}
        />
      )}
      {kind === 'report' && <ReportSpace space={space} onClose={onClose} />}
      {kind === 'leave' && <LeaveSpace space={space} onClose={onClose} />}
    </Suspense>
  )
}

/** Preselects the category of the room that the user is in. */
function CreateRoom({ space, currentRoomId, onClose }: InviteProps) {
  const rooms = useAppState((state) => state.rooms)
  const parentId = useMemo(
    () => newRoomCategory(rooms, space.id, currentRoomId),
    [rooms, space, currentRoomId],
  )
  return <CreateRoomDialog spaceId={space.id} parentId={parentId} onClose={onClose} />
}

interface InviteProps {
  space: SpaceEntry
  currentRoomId: string | null
  onClose: () => void
}

function Invite({ space, currentRoomId, onClose }: InviteProps) {
  const rooms = useAppState((state) => state.rooms)
  const room = useMemo(() => inviteRoom(rooms, space, currentRoomId), [rooms, space, currentRoomId])
  if (room === undefined) return null
  return (
    <InviteDialog
      spaceId={space.id}
      spaceName={space.name}
      roomId={room.id}
      roomName={roomName(room)}
      onClose={onClose}
    />
  )
}
