import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { NotificationPlace } from '#src/notifications/place.ts'
import { roomName } from './room-name.ts'

/** A room or category as what notifications are chosen for. */
export function notificationPlace(room: Room): NotificationPlace {
  const name = roomName(room)
  return { scope: 'room', id: room.id, name: room.type === RoomType.Text ? `#${name}` : name }
}
