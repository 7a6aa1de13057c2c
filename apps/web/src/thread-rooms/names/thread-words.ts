import type { Thread } from '@foyer/protocol/thread-rooms'
import { t } from '#src/language/texts.ts'

/** UI texts that differ between the page of a thread and that of a post. */
interface ThreadWords {
  readonly options: string
  readonly edit: string
  readonly editMore: string
  readonly rest: string
  readonly wake: string
  readonly close: string
  readonly closeMore: string
  readonly reopen: string
  readonly delete: string
  readonly deleted: string
  readonly isClosed: string
  readonly isAsleep: string
  readonly beginning: string
  readonly follow: string
  readonly notifications: string
}

const ofThread: ThreadWords = {
  options: t('Thread options'),
  edit: t('Edit thread'),
  editMore: t('Edit thread…'),
  rest: t('Put thread to sleep'),
  wake: t('Wake thread'),
  close: t('Close thread'),
  closeMore: t('Close thread…'),
  reopen: t('Reopen thread'),
  delete: t('Delete thread'),
  deleted: t('This deletes the thread and every message in it, for everyone. This can’t be undone.'),
  isClosed: t('This thread is closed.'),
  isAsleep: t('This thread is asleep. A new message wakes it.'),
  beginning: t('This is the beginning of the thread.'),
  follow: t('Follow thread'),
  notifications: t('Thread notifications'),
}

const ofPost: ThreadWords = {
  options: t('Post options'),
  edit: t('Edit post'),
  editMore: t('Edit post…'),
  rest: t('Put post to sleep'),
  wake: t('Wake post'),
  close: t('Close post'),
  closeMore: t('Close post…'),
  reopen: t('Reopen post'),
  delete: t('Delete post'),
  deleted: t('This deletes the post and every message in it, for everyone. This can’t be undone.'),
  isClosed: t('This post is closed.'),
  isAsleep: t('This post is asleep. A new message wakes it.'),
  beginning: t('This is the beginning of the post.'),
  follow: t('Follow post'),
  notifications: t('Post notifications'),
}

/** Returns true if the thread is a post of a forum: only those have tags. */
export function isPost({ tags }: Pick<Thread, 'tags'>): boolean {
  return tags !== undefined
}

export function threadWords(thread: Pick<Thread, 'tags'>): ThreadWords {
  return isPost(thread) ? ofPost : ofThread
}
