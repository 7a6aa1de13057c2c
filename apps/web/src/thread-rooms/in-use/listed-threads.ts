import { showsUnread } from '#src/store/selectors.ts'
import type { State, ThreadEntry } from '#src/store/state.ts'

/** Threads listed below a room. The others are behind the Threads button of the room. */
const MAX_LISTED = 8

/**
 * Returns the threads of a room that are listed below it, the oldest first, so that they keep their order: those that the
 * user follows and that neither sleep nor are closed, unread ones, and the open one.
 */
export function listedThreads(state: State, roomId: string, openId: string): ThreadEntry[] {
  const listed = Object.values(state.threads).filter(
    (thread) => thread.parent_id === roomId && (thread.id === openId || isWanted(state, thread)),
  )
  return listed
    .sort((a, b) => weight(b, openId) - weight(a, openId) || b.last_seq - a.last_seq)
    .slice(0, MAX_LISTED)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

function isWanted(state: State, { id, follow, thread }: ThreadEntry): boolean {
  if (follow === null || follow === 'muted') return false
  return showsUnread(state, id) || !(thread.is_closed || thread.is_asleep)
}

function weight({ id }: ThreadEntry, openId: string): number {
  return id === openId ? 1 : 0
}
