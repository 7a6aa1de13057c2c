import { Suspense, useEffect } from 'react'
import { NotificationDialog } from '#src/notifications/notification-dialog.tsx'
import { useAppState } from '#src/session/context.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { DeleteRoom } from './delete-room.tsx'
import { notificationTarget } from './notification-target.ts'

export type RoomDialog =
  | { readonly kind: 'create'; readonly parentId: string | null }
  | { readonly kind: 'settings' | 'notifications' | 'follow' | 'delete'; readonly roomId: string }

const CreateRoomDialog = lazyComponent(() =>
  import('./creation/create-room-dialog.tsx').then((module) => module.CreateRoomDialog),
)
const FollowDialog = lazyComponent(() =>
  import('./following/follow-dialog.tsx').then((module) => module.FollowDialog),
)
const RoomSettings = lazyComponent(() =>
  import('./settings/room-settings.tsx').then((module) => module.RoomSettings),
)

interface RoomDialogsProps {
  spaceId: string
  dialog: RoomDialog
  onClose: () => void
}

/** The dialog open for a room. It closes when the room or space is deleted, and does not reopen if they come back. */
export function RoomDialogs({ spaceId, dialog, onClose }: RoomDialogsProps) {
  const roomId = 'roomId' in dialog ? dialog.roomId : ''
  const room = useAppState((state) => state.rooms[roomId])
  const space = useAppState((state) => state.spaces[spaceId])
  const isGone = space === undefined || (dialog.kind !== 'create' && room === undefined)

  useEffect(() => {
    if (isGone) onClose()
  }, [isGone, onClose])

  if (isGone) return null
  return (
    <Suspense>
      {dialog.kind === 'create' && (
        <CreateRoomDialog spaceId={spaceId} parentId={dialog.parentId} onClose={onClose} />
      )}
      {dialog.kind === 'settings' && room !== undefined && (
        <RoomSettings space={space} room={room} onClose={onClose} />
      )}
      {dialog.kind === 'notifications' && room !== undefined && (
        <NotificationDialog target={notificationTarget(room)} onClose={onClose} />
      )}
      {dialog.kind === 'follow' && room !== undefined && <FollowDialog room={room} onClose={onClose} />}
      {dialog.kind === 'delete' && room !== undefined && <DeleteRoom room={room} onClose={onClose} />}
    </Suspense>
  )
}
