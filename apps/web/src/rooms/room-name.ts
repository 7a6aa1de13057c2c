import { type Room, RoomType } from '@foyer/protocol/rooms'
import { t } from '#src/language/texts.ts'

/** What a room is called: its name may have been cleared. */
export function roomName({ name }: Pick<Room, 'name'>): string {
  return name === '' ? t('untitled') : name
}

/** As people speak of it: `#general`, and a voice room by its name alone. */
export function roomLabel(room: Pick<Room, 'name' | 'type'>): string {
  const name = roomName(room)
  return room.type === RoomType.Text ? `#${name}` : name
}
