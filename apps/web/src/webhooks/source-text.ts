import type { FollowedRoom } from '@foyer/protocol/follows'
import { t } from '#src/language/texts.ts'
import { roomName } from '#src/rooms/names/room-name.ts'

/** Names the announcement room that a follow copies from. */
export function sourceText(source: FollowedRoom | null): string {
  if (source === null) return t('Follows a room that was deleted or has no announcements anymore.')
  return t('Follows #{room} in {space}', {
    room: roomName({ name: source.room_name }),
    space: source.space_name,
  })
}
