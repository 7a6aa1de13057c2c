import { MAX_LISTED } from '#src/session/place.ts'
import { mentionCount, showsUnread } from '#src/store/selectors.ts'
import type { State, ThreadEntry } from '#src/store/state.ts'
import { isAsleep } from './sleep.ts'

/**
 * Returns the threads that are listed below a room: the open one, and those that the user follows and has not muted, if they
 * are unread, or neither asleep nor closed. They are listed oldest first, so that their order never changes. If there are too
 * many, the open thread is kept first, then threads with mentions, then unread threads, then those with the newest messages.
 */
export function listedThreads(state: State, roomId: string, openId: string): ThreadEntry[] {
  const now = Date.now()
  return threadsIn(state, roomId)
    .filter((entry) => entry.id === openId || isWanted(state, entry, now))
    .map((entry) => ({ entry, weight: weightOf(state, entry, openId) }))
    .sort((a, b) => b.weight - a.weight || activeAt(b.entry) - activeAt(a.entry))
    .slice(0, MAX_LISTED)
    .map(({ entry }) => entry)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Threads by room, cached for each version of the threads: each listed room reads them at each change of the state. */
const byRoom = new WeakMap<State['threads'], ReadonlyMap<string, readonly ThreadEntry[]>>()

function threadsIn({ threads }: State, roomId: string): readonly ThreadEntry[] {
  const known = byRoom.get(threads) ?? Map.groupBy(Object.values(threads), ({ parent_id }) => parent_id)
  byRoom.set(threads, known)
  return known.get(roomId) ?? []
}

function isWanted(state: State, entry: ThreadEntry, now: number): boolean {
  if (entry.follow === null || entry.follow === 'muted') return false
  return showsUnread(state, entry.id) || !(entry.thread.is_closed || isAsleep(entry, now))
}

function weightOf(state: State, { id }: ThreadEntry, openId: string): number {
  if (id === openId) return 3
  if (mentionCount(state, id) > 0) return 2
  return showsUnread(state, id) ? 1 : 0
}

function activeAt({ thread }: ThreadEntry): number {
  return Date.parse(thread.active_at)
}
