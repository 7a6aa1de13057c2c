import { topicOf } from '#src/kernel/bus.ts'
import type { NewEvent } from '#src/kernel/database.ts'

/**
 * Tells the server itself that it changed who may hear what in a space: every change of permissions, overwrites, rooms or
 * the owner publishes it. Connections are told which rooms they gained and lost, before anything that is published after
 * it; who resumes is told the space anew. Publish it before the events that tell of the change, but after ROOM_DELETE,
 * which is for those who could view the room.
 */
export function accessChange(spaceId: string): NewEvent {
  return { topic: topicOf.access(spaceId), name: 'SPACE_ACCESS_CHANGE', data: '{}' }
}
