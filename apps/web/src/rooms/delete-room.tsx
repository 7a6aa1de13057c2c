import { type Room, RoomType } from '@foyer/protocol/rooms'
import { useLocation } from 'wouter'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { mainElement } from '#src/ui/focus/main-element.ts'
import { roomName } from './names/room-name.ts'

export function DeleteRoom({ room, onClose }: { room: Room; onClose: () => void }) {
  const { client, store } = useSession()
  const [location, navigate] = useLocation()
  const isCategory = room.type === RoomType.Category

  async function remove() {
    await client.rooms.delete(room.space_id, room.id)
    if (location.endsWith(room.id)) navigate(`/spaces/${room.space_id}`, { replace: true })
    store.adopt('ROOM_DELETE', { space_id: room.space_id, room_id: room.id })
  }

  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Delete {room}?', { room: roomName(room) })}
      action={isCategory ? t('Delete category') : t('Delete room')}
      run={remove}
      focusAfter={mainElement}
    >
      <p>
        {isCategory
          ? t('This deletes the category for everyone. Its rooms stay in the space.')
          : t('This deletes the room and every message in it, for everyone. This can’t be undone.')}
      </p>
    </Confirm>
  )
}
