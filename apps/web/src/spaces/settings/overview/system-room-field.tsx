import { RoomType } from '@foyer/protocol/rooms'
import { useMemo } from 'react'
import { t } from '#src/language/texts.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import { roomGroups } from '#src/store/selectors.ts'
import { SelectField } from '#src/ui/fields/select-field.tsx'

interface SystemRoomFieldProps {
  spaceId: string
  /** Id of a text room, or an empty string for none. */
  value: string
  onChange: (roomId: string) => void
}

/** Selects the room for the server's join messages. */
export function SystemRoomField({ spaceId, value, onChange }: SystemRoomFieldProps) {
  const rooms = useAppState((state) => state.rooms)
  const texts = useMemo(() => {
    const listed = roomGroups(rooms, spaceId).flatMap((group) => group.rooms)
    return listed.filter(({ type }) => type === RoomType.Text)
  }, [rooms, spaceId])
  return (
    <SelectField
      name="system_room_id"
      label={t('Announce new members in')}
      options={[['', t('Don’t announce')], ...texts.map((room) => [room.id, roomName(room)] as const)]}
      value={value}
      onChange={onChange}
    />
  )
}
