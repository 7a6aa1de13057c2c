import { limits } from '@foyer/protocol/limits'
import { type Room, RoomType, type UpdateRoomBody } from '@foyer/protocol/rooms'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { SaveBar } from '#src/ui/dialogs/save-bar.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { roomName } from '../../names/room-name.ts'

/** Only the edited fields. The others follow changes by other members. */
interface Typed {
  readonly name?: string
  readonly description?: string
}

export function RoomForm({ room }: { room: Room }) {
  const { client, store } = useSession()
  const [typed, setTyped] = useState<Typed>({})
  const isCategory = room.type === RoomType.Category
  const body = changes(room, typed)

  async function save() {
    store.adopt('ROOM_UPDATE', await client.rooms.update(room.space_id, room.id, body))
    setTyped({})
  }

  return (
    <SubmitForm fields={['name', 'description']} submit={save}>
      {(pending) => (
        <>
          <TextField
            name="name"
            label={isCategory ? t('Category name') : t('Room name')}
            hint={t('Leave empty to show “{room}”.', { room: roomName({ name: '' }) })}
            autoComplete="off"
            maxLength={limits.nameMax}
            value={typed.name ?? room.name}
            onValueChange={(name) => setTyped({ ...typed, name })}
          />
          {!isCategory && (
            <TextField
              name="description"
              label={t('Description')}
              hint={t('Shown next to the room name.')}
              autoComplete="off"
              maxLength={limits.descriptionMax}
              render={<textarea rows={3} />}
              value={typed.description ?? room.description ?? ''}
              onValueChange={(description) => setTyped({ ...typed, description })}
            />
          )}
          <SaveBar isUnsaved={Object.keys(body).length > 0} pending={pending} onReset={() => setTyped({})} />
        </>
      )}
    </SubmitForm>
  )
}

/** Returns the request body for the edited fields. Null clears a field. */
function changes(room: Room, { name = room.name, description }: Typed): UpdateRoomBody {
  const edited = description ?? room.description ?? ''
  return {
    ...(name === room.name ? {} : { name: name.trim() || null }),
    ...(edited === (room.description ?? '') ? {} : { description: edited.trim() || null }),
  }
}
