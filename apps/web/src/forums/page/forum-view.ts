import type { Forum } from '@foyer/protocol/forums'
import { useMemo, useState } from 'react'
import { presentTags } from '../tags/present-tags.ts'
import type { PostFilter } from './post-order.ts'

/** The choices of a user in a forum. */
interface ForumView {
  readonly layout: Forum['layout']
  readonly filter: PostFilter
}

/** Choices by forum id, until the page is closed. A user who comes back from a post finds the list unchanged. */
const views = new Map<string, ForumView>()

export function useForumView(forumId: string, forum: Forum) {
  const [view, setView] = useState<ForumView>(
    () =>
      views.get(forumId) ?? { layout: forum.layout, filter: { sort: forum.sort, tags: [], solved: null } },
  )
  function choose(chosen: ForumView) {
    views.set(forumId, chosen)
    setView(chosen)
  }
  return [view, choose] as const
}

/** Returns the filter without deleted tags. The object stays the same while its content does. */
export function usePresentFilter(forum: Forum, filter: PostFilter): PostFilter {
  const tags = presentTags(forum, filter.tags)
  const { sort, solved } = filter
  const key = tags.join()
  return useMemo(() => ({ sort, solved, tags: key === '' ? [] : key.split(',') }), [sort, solved, key])
}
