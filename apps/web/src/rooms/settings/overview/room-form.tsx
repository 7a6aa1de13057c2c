import { limits } from '@foyer/protocol/limits'
import { type ReplyPlace, type Room, RoomType, type UpdateRoomBody } from '@foyer/protocol/rooms'
import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { SaveBar } from '#src/ui/dialogs/save-bar.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { SubmitForm } from '#src/ui/fields/submit-form.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { formatDuration } from '#src/ui/time/duration.ts'
import { roomName } from '../../names/room-name.ts'

/** Contains only edited fields. The others follow changes by other members. */
interface Typed {
  readonly name?: string
  readonly description?: string
  readonly slowMode?: number
  readonly replies?: ReplyPlace
  readonly announces?: boolean
}

export function RoomForm({ room }: { room: Room }) {
  const { client, store } = useSession()
  const [typed, setTyped] = useState<Typed>({})
  const isCategory = room.type === RoomType.Category
  const body = changes(room, typed)
  const setAnnounces = (announces: boolean) => setTyped({ ...typed, announces })

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
            hint={nameHint(isCategory)}
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
          {!isCategory && (
            <SelectField
              name="slow_mode_seconds"
              label={t('Slow mode')}
              options={optionsWith(room.slow_mode_seconds)}
              value={String(typed.slowMode ?? room.slow_mode_seconds)}
              onChange={(seconds) => setTyped({ ...typed, slowMode: Number(seconds) })}
            />
          )}
          {room.type === RoomType.Text && (
            <SelectField
              name="replies"
              label={t('Replies')}
              options={REPLY_PLACES}
              value={typed.replies ?? room.replies ?? 'room'}
              onChange={(place) => setTyped({ ...typed, replies: place === 'threads' ? place : 'room' })}
            />
          )}
          {room.type === RoomType.Text && (
            <AnnouncesSwitch room={room} typed={typed.announces} onChange={setAnnounces} />
          )}
          <SaveBar isUnsaved={Object.keys(body).length > 0} pending={pending} onReset={() => setTyped({})} />
        </>
      )}
    </SubmitForm>
  )
}

interface AnnouncesSwitchProps {
  room: Room
  typed: boolean | undefined
  onChange: (announces: boolean) => void
}

/** The switch for an announcement room. When turned off, its description warns that the follows of the room will end. */
function AnnouncesSwitch({ room, typed, onChange }: AnnouncesSwitchProps) {
  const before = room.announces ?? false
  const now = typed ?? before
  return (
    <SwitchRow
      label={t('Announcements')}
      description={
        before && !now
          ? t('Rooms that follow this one will stop following it. Messages they already have stay.')
          : t(
              'Other rooms can follow this one and get its new messages. Under Permissions, choose who can write.',
            )
      }
      checked={now}
      onChange={onChange}
    />
  )
}

const REPLY_PLACES = [
  ['room', t('In the room')],
  ['threads', t('In threads')],
] as const

const SLOW_MODES = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600]

/** Returns the choices of slow mode, and the current value if it was set through the API and is not among them. */
function optionsWith(current: number): [string, string][] {
  const seconds = [...new Set([...SLOW_MODES, ...(current > 0 ? [current] : [])])].sort((a, b) => a - b)
  return [
    ['0', t('Off')],
    ...seconds.map((one): [string, string] => [
      String(one),
      t('One message every {duration}', { duration: formatDuration(one) }),
    ]),
  ]
}

/** Returns the request body for the edited fields. Null clears a field. */
function changes(room: Room, typed: Typed): UpdateRoomBody {
  const { name = room.name, description, slowMode, replies, announces } = typed
  const edited = description ?? room.description ?? ''
  return {
    ...(name === room.name ? {} : { name: name.trim() || null }),
    ...(edited === (room.description ?? '') ? {} : { description: edited.trim() || null }),
    ...(slowMode === undefined || slowMode === room.slow_mode_seconds ? {} : { slow_mode_seconds: slowMode }),
    ...(replies === undefined || replies === (room.replies ?? 'room') ? {} : { replies }),
    ...(announces === undefined || announces === (room.announces ?? false) ? {} : { announces }),
  }
}

function nameHint(isCategory: boolean): string {
  const name = roomName({ name: '' })
  return isCategory
    ? t('Without a name, the category is called “{category}”.', { category: name })
    : t('Without a name, the room is called “{room}”.', { room: name })
}
