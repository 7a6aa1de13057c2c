import type { Room } from '@foyer/protocol/rooms'
import type { NotificationPlace } from '#src/notifications/place.ts'
import { roomLabel } from './room-name.ts'

/** Returns the scope of notification settings that a room or category is. */
export function notificationPlace(room: Room): NotificationPlace {
  return { scope: 'room', id: room.id, name: roomLabel(room) }
}
