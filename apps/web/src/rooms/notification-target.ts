import type { Room } from '@foyer/protocol/rooms'
import type { NotificationTarget } from '#src/notifications/notification-target.ts'
import { roomLabel } from './names/room-name.ts'

/** Returns a room or category as a target of notification settings. */
export function notificationTarget(room: Room): NotificationTarget {
  return { scope: 'room', id: room.id, name: roomLabel(room) }
}
