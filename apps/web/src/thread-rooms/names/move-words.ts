import { t } from '#src/language/texts.ts'

/** UI texts for moving messages from one thread or post to another. */
export interface MoveWords {
  /** Name of the list that the target is chosen from. */
  readonly targets: string
  readonly search: string
  readonly none: string
  readonly merging: string
}

const amongThreads: MoveWords = {
  targets: t('Threads'),
  search: t('Search the threads shown here'),
  none: t('No threads found.'),
  merging: t('All messages and followers move to the thread you choose, and this thread is deleted.'),
}

const amongPosts: MoveWords = {
  targets: t('Posts'),
  search: t('Search the posts shown here'),
  none: t('No posts found.'),
  merging: t('All messages and followers move to the post you choose, and this post is deleted.'),
}

export function moveWords(isForum: boolean): MoveWords {
  return isForum ? amongPosts : amongThreads
}
