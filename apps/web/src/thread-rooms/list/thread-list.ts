import type { Message } from '@foyer/protocol/messages'
import type {
  OwnThread,
  Thread,
  ThreadFollow,
  ThreadFollowUpdate,
  ThreadPage,
  ThreadState,
} from '@foyer/protocol/thread-rooms'

/** The user's assumed state in a thread that arrives by an event, until the server sends the actual one. */
const UNFOLLOWED: ThreadFollow = { follow: null, read_seq: 0, unread_count: 0, mention_count: 0 }

/** Returns the tab that lists the thread. */
export function stateOf({ is_closed, is_asleep }: Pick<Thread, 'is_closed' | 'is_asleep'>): ThreadState {
  if (is_closed) return 'closed'
  return is_asleep ? 'asleep' : 'active'
}

/** Adds or updates a thread in the list, or removes it if it no longer belongs there. */
export function withThread(list: ThreadPage, thread: Thread, fits: boolean): ThreadPage {
  const others = list.threads.filter(({ id }) => id !== thread.id)
  const own = list.threads.find(({ id }) => id === thread.id)?.own ?? UNFOLLOWED
  const oldest = others.at(-1)
  // True if the thread belongs on a later page, which is not loaded yet.
  const isBelow = list.next !== null && oldest !== undefined && newestFirst(oldest, thread) < 0
  if (!fits || isBelow) return { ...list, threads: others }
  return { ...list, threads: [...others, { ...thread, own }].sort(newestFirst) }
}

export function withoutThread(list: ThreadPage, threadId: string): ThreadPage {
  return { ...list, threads: list.threads.filter(({ id }) => id !== threadId) }
}

/**
 * Counts a new message, which also wakes the thread.
 * @param myId the user, whose own messages are never unread
 */
export function withMessage(list: ThreadPage, message: Message, myId: string | undefined): ThreadPage {
  const threads = list.threads.map((thread) =>
    thread.id === message.room_id ? countedIn(thread, message, myId) : thread,
  )
  return { ...list, threads: threads.sort(newestFirst) }
}

/** A message that arrives twice counts once. */
function countedIn(thread: OwnThread, message: Message, myId: string | undefined): OwnThread {
  const { own } = thread
  if (message.seq <= thread.last_seq) return thread
  return {
    ...thread,
    message_count: thread.message_count + 1,
    last_seq: message.seq,
    last_message_id: message.id,
    active_at: message.created_at,
    is_asleep: false,
    own: message.author.id === myId ? own : { ...own, unread_count: own.unread_count + 1 },
  }
}

export function withoutMessages(list: ThreadPage, threadId: string, count: number): ThreadPage {
  const threads = list.threads.map((thread) =>
    thread.id === threadId ? { ...thread, message_count: Math.max(thread.message_count - count, 0) } : thread,
  )
  return { ...list, threads }
}

export function withFollow(list: ThreadPage, { thread_id, ...own }: ThreadFollowUpdate): ThreadPage {
  return {
    ...list,
    threads: list.threads.map((thread) => (thread.id === thread_id ? { ...thread, own } : thread)),
  }
}

/** Appends a page to the list, without threads that are already listed because they have moved up since. */
export function withPage(list: ThreadPage, page: ThreadPage): ThreadPage {
  const known = new Set(list.threads.map(({ id }) => id))
  return { threads: [...list.threads, ...page.threads.filter(({ id }) => !known.has(id))], next: page.next }
}

/** Returns true if the user follows the thread and has not read all of it. */
export function isUnreadThread({ own }: Pick<OwnThread, 'own'>): boolean {
  return own.follow !== null && own.follow !== 'muted' && own.unread_count > 0
}

function newestFirst(a: Pick<Thread, 'active_at' | 'id'>, b: Pick<Thread, 'active_at' | 'id'>): number {
  if (a.active_at !== b.active_at) return a.active_at < b.active_at ? 1 : -1
  return a.id < b.id ? 1 : -1
}
