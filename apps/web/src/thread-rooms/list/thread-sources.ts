import { DEFAULT_PAGE } from '@foyer/protocol/limits'
import type { ThreadState } from '@foyer/protocol/thread-rooms'
import { stateOf } from './thread-list.ts'
import type { ThreadSource } from './use-thread-list.ts'

/** Threads of a room, in one state or in all states. */
export function threadsOfRoom(roomId: string, state: ThreadState): ThreadSource {
  return {
    load: (threads, before, options) =>
      threads.list(roomId, { state, limit: DEFAULT_PAGE, ...(before !== undefined && { before }) }, options),
    fits: (thread) => thread.room_id === roomId && (state === 'all' || stateOf(thread) === state),
    // An unlisted thread that gets a message was asleep, or is on a page that is not loaded yet.
    isAddedBy: (message) => message.parent_room_id === roomId && (state === 'active' || state === 'all'),
    isFollowed: false,
  }
}

/** Threads that the user follows, in all spaces. */
export const followedThreads: ThreadSource = {
  load: (threads, before, options) =>
    threads.listFollowed(
      { forums: true, limit: DEFAULT_PAGE, ...(before !== undefined && { before }) },
      options,
    ),
  fits: (_, isListed) => isListed,
  // An unlisted thread that the user follows is on a page that is not loaded yet.
  isAddedBy: ({ room_id }, { threads }) => (threads[room_id ?? '']?.follow ?? null) !== null,
  isFollowed: true,
}

/** Followed threads with messages that the user has not read. */
export const unreadThreads: ThreadSource = {
  ...followedThreads,
  load: (threads, before, options) =>
    threads.listFollowed(
      { unread: true, forums: true, limit: DEFAULT_PAGE, ...(before !== undefined && { before }) },
      options,
    ),
  isUnread: true,
}
