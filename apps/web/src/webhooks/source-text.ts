import type { FollowedRoom } from '@foyer/protocol/follows'
import { t } from '#src/language/texts.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import { formatFull } from '#src/ui/time/time.ts'

/** Names the announcement room that a follow copies from, and says since when its server has not answered. */
export function sourceText(source: FollowedRoom | null): string {
  if (source === null)
    return t(
      'No longer following: the room was deleted, is no longer an announcement room, or its server was unreachable for 30 days.',
    )
  const { room_name, space_name, server, failing_since = null } = source
  const names = { room: roomName({ name: room_name }), space: space_name }
  if (server === undefined) return t('Follows #{room} in {space}', names)
  const text = t('Follows #{room} in {space} on {server}', { ...names, server })
  if (failing_since === null) return text
  return `${text} · ${t('Not reachable since {time}', { time: formatFull(failing_since) })}`
}
