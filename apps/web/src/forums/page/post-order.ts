import type { ForumSort } from '@foyer/protocol/forums'
import type { Message } from '@foyer/protocol/messages'
import type { ListedThread, Thread, ThreadPage } from '@foyer/protocol/thread-rooms'

/** The posts that a list shows, and their order. */
export interface PostFilter {
  readonly sort: ForumSort
  /** Posts with any of these tags; if empty, all posts. */
  readonly tags: readonly string[]
  /** True for posts with an answer, false for those without; null for both. */
  readonly solved: boolean | null
}

/** Returns true if a post belongs in the list. */
export function fitsFilter(thread: Thread, { tags, solved }: PostFilter): boolean {
  const own = thread.tags ?? []
  const hasTag = tags.length === 0 || own.some((id) => tags.includes(id))
  const isSolved = (thread.solved_message_id ?? null) !== null
  return hasTag && (solved === null || solved === isSolved)
}

/** Updates a post in the list, or removes the post if it no longer fits the filter. */
export function withPost(page: ThreadPage, thread: Thread, filter: PostFilter): ThreadPage {
  const threads = page.threads
    .map((listed) => (listed.id === thread.id ? { ...listed, ...thread } : listed))
    .filter((listed) => listed.id !== thread.id || fitsFilter(thread, filter))
  return { ...page, threads: sorted(threads, filter) }
}

/** Counts a new message as a reply. Counts no message twice, and not the first one, which is the text of the post. */
export function withReply(page: ThreadPage, message: Message, filter: PostFilter): ThreadPage {
  const threads = page.threads.map((listed) =>
    listed.id === message.room_id && message.seq > listed.last_seq
      ? {
          ...listed,
          last_seq: message.seq,
          active_at: message.created_at,
          is_asleep: false,
          reply_count: (listed.reply_count ?? 0) + (message.seq > 1 ? 1 : 0),
        }
      : listed,
  )
  return { ...page, threads: sorted(threads, filter) }
}

/** Replaces the first page of the list. Further pages stay, unless the new page is also the last. */
export function withNewest(page: ThreadPage, newest: ThreadPage, filter: PostFilter): ThreadPage {
  if (newest.next === null) return newest
  const fresh = new Set(newest.threads.map(({ id }) => id))
  const others = page.threads.filter(({ id }) => !fresh.has(id))
  return { threads: sorted([...newest.threads, ...others], filter), next: page.next }
}

/** Appends a page to the list, without posts that are already listed because they have moved up since. */
export function withOlder(page: ThreadPage, older: ThreadPage): ThreadPage {
  const known = new Set(page.threads.map(({ id }) => id))
  return { threads: [...page.threads, ...older.threads.filter(({ id }) => !known.has(id))], next: older.next }
}

function sorted(threads: readonly ListedThread[], { sort }: PostFilter): ListedThread[] {
  const keyOf = (thread: ListedThread) => (sort === 'activity' ? thread.active_at : thread.created_at)
  return threads.toSorted(
    (a, b) =>
      Number(b.is_pinned ?? false) - Number(a.is_pinned ?? false) ||
      compare(keyOf(b), keyOf(a)) ||
      compare(b.id, a.id),
  )
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
