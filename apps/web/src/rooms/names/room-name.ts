import { type Room, RoomType } from '@foyer/protocol/rooms'
import { t } from '#src/language/texts.ts'

/** Returns the name of a room, which may have been cleared. */
export function roomName({ name }: Pick<Room, 'name'>): string {
  return name === '' ? t('untitled') : name
}

/** Returns the name as people write it: `#general` for text rooms, the plain name for voice rooms. */
export function roomLabel(room: Pick<Room, 'name' | 'type'>): string {
  const name = roomName(room)
  return room.type === RoomType.Text ? `#${name}` : name
}
