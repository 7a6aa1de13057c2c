import type { NewEvent } from '#src/kernel/database/database.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'

/**
 * Makes the internal event for every change of a space's permissions, overwrites, rooms or owner. The gateway then
 * informs connections of the rooms they gained and lost, before any later event. Publish it before the events of the
 * change, but after ROOM_DELETE, which goes to those who could view the room.
 */
export function accessChange(spaceId: string): NewEvent {
  return { topic: topicOf.access(spaceId), name: 'SPACE_ACCESS_CHANGE', data: '{}' }
}
