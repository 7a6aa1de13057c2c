import type { Thread } from '@foyer/protocol/thread-rooms'

/** Returns the path of a thread's page. It has the form of a room's path. */
export function threadPath({ space_id, id }: Pick<Thread, 'space_id' | 'id'>): string {
  return `/spaces/${space_id}/rooms/${id}`
}
