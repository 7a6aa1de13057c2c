import type { Thread } from '@foyer/protocol/thread-rooms'

/** Returns the path of a thread's page, which is that of a room. */
export function threadPath({ space_id, id }: Pick<Thread, 'space_id' | 'id'>): string {
  return `/spaces/${space_id}/rooms/${id}`
}
