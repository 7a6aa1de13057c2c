import type { Room } from '@foyer/protocol/rooms'
import { t } from '#src/language/texts.ts'
import { roomName } from '../names/room-name.ts'
import type { RoomSlot } from './room-order.ts'
import type { ListedRooms } from './use-room-list.ts'

/** Describes a move for screen readers. */
export function moveWords(room: Room, { parentId, beforeId }: RoomSlot, find: ListedRooms['find']): string {
  const [category, next] = [find(parentId ?? ''), find(beforeId ?? '')]
  const name = roomName(room)
  if (category === undefined) {
    if (next === undefined) return t('{room} is now last.', { room: name })
    return t('{room} is now before {next}.', { room: name, next: roomName(next) })
  }
  const values = { room: name, category: roomName(category) }
  if (next === undefined) return t('{room} is now last in {category}.', values)
  return t('{room} is now before {next} in {category}.', { ...values, next: roomName(next) })
}
