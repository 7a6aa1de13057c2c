import type { Room } from '@foyer/protocol/rooms'
import type { NotificationPlace } from '#src/notifications/place.ts'
import { roomLabel } from './room-name.ts'

/** A room or category as what notifications are chosen for. */
export function notificationPlace(room: Room): NotificationPlace {
  return { scope: 'room', id: room.id, name: roomLabel(room) }
}
