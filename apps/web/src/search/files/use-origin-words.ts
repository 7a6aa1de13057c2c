import type { Message } from '@foyer/protocol/messages'
import { nameOfAuthor } from '#src/members/author-name.ts'
import { roomLabel } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import type { NameLookup } from '#src/store/selectors.ts'
import { formatClock, formatDay } from '#src/ui/time/time.ts'
import { roomOf } from '../hit-groups.ts'

/** Returns a function that formats sender, room and time of a message. */
export function useOriginWords(nameOf: NameLookup): (message: Message) => string {
  const rooms = useAppState((state) => state.rooms)
  return (message) => {
    const room = rooms[roomOf(message) ?? '']
    const { created_at } = message
    return [
      nameOfAuthor(message, nameOf),
      ...(room === undefined ? [] : [roomLabel(room)]),
      `${formatDay(created_at)}, ${formatClock(created_at)}`,
    ].join(' · ')
  }
}
