import { type Room, RoomType } from '@foyer/protocol/rooms'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { DeleteRoom } from '../../delete-room.tsx'
import { RoomForm } from './room-form.tsx'
import { RoomRetention } from './room-retention.tsx'

/** The name and description of the room, and the button to delete it. */
export function OverviewSection({ room }: { room: Room }) {
  const [deleting, setDeleting] = useState(false)
  const isCategory = room.type === RoomType.Category
  return (
    <>
      <RoomForm room={room} />
      {!isCategory && <RoomRetention room={room} />}
      <div className="danger-zone">
        <div className="settings-line">
          <p>
            <strong>{isCategory ? t('Delete this category') : t('Delete this room')}</strong>
            <span>
              {isCategory
                ? t('Its rooms stay in the space, without a category.')
                : t('This deletes the room and all its messages.')}
            </span>
          </p>
          <Button look="danger" onClick={() => setDeleting(true)}>
            {isCategory ? t('Delete category') : t('Delete room')}
          </Button>
        </div>
      </div>
      {deleting && <DeleteRoom room={room} onClose={() => setDeleting(false)} />}
    </>
  )
}
