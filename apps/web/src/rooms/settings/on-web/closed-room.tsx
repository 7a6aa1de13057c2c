import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { WebRoom } from '@foyer/protocol/web-rooms'
import { WebRooms } from '@foyer/sdk/api/web-rooms'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { roomLabel } from '../../names/room-name.ts'
import { EarlierWords } from './earlier-words.tsx'
import { IndexingSwitch } from './indexing-switch.tsx'

interface ClosedRoomProps {
  room: Room
  onChange: (state: WebRoom) => void
}

/** Opens the room to the web, after a confirmation that explains the consequences. */
export function ClosedRoom({ room, onChange }: ClosedRoomProps) {
  const { client } = useSession()
  const [backwards, setBackwards] = useState(false)
  const [isIndexed, setIsIndexed] = useState(true)
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <p className="settings-note">
        {t('Everyone on the internet can read a room that is on the web, without an account.')}
      </p>
      {room.type !== RoomType.Forum && (
        <SwitchRow
          label={t('Include earlier messages')}
          description={t('Readable after a week, so that everyone can first choose how they appear.')}
          checked={backwards}
          onChange={setBackwards}
        />
      )}
      <IndexingSwitch checked={isIndexed} onChange={setIsIndexed} />
      <div className="form-actions">
        <Button look="primary" onClick={() => setIsAsking(true)}>
          {t('Open to the web…')}
        </Button>
      </div>
      <Confirm
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('Let everyone read {room}?', { room: roomLabel(room) })}
        action={t('Open to the web')}
        look="primary"
        run={async () =>
          onChange(await client.api(WebRooms).open(room.id, { backwards, is_indexed: isIndexed }))
        }
      >
        <p>
          {t('From now on, everyone on the internet can read what is written here, with names and pictures.')}{' '}
          {isIndexed
            ? t('Search engines may list the room and keep copies, even after you take it off the web.')
            : t('Copies may remain elsewhere, even after you take the room off the web.')}
        </p>
        {backwards && <EarlierWords />}
        <p>
          {t(
            'A message in the room lets members know. Each of them can hide their name or leave out their messages.',
          )}
        </p>
      </Confirm>
    </>
  )
}
