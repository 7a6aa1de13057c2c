import type { ThreadPage } from '@foyer/protocol/thread-rooms'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import type { PostFilter } from './post-order.ts'

/** A user's position in the list of a forum. */
interface ForumPlace {
  /** The loaded posts, with the filter that they belong to. */
  posts?: { readonly filter: string; readonly page: ThreadPage }
  /** Pixels by which the page is scrolled. */
  top: number
}

/** Positions by session and forum id, until the page is closed. A user who comes back from a post continues there. */
const places = new WeakMap<Session, Map<string, ForumPlace>>()

function placeIn(session: Session, forumId: string): ForumPlace {
  const own = places.get(session) ?? new Map<string, ForumPlace>()
  const place = own.get(forumId) ?? { top: 0 }
  places.set(session, own.set(forumId, place))
  return place
}

/** Returns the posts that were loaded when the user left the list with this filter, or null. */
export function keptPosts(session: Session, forumId: string, filter: PostFilter): ThreadPage | null {
  const { posts } = placeIn(session, forumId)
  return posts?.filter === keyOf(filter) ? posts.page : null
}

/**
 * Keeps the loaded posts. Returns the posts kept from the previous visit, until the filter changes; null if there are none.
 * @param page the loaded posts; null until they have loaded
 */
export function useLeftPosts(
  forumId: string,
  filter: PostFilter,
  page: ThreadPage | null,
): ThreadPage | null {
  const session = useSession()
  const [left] = useState(() => ({ filter, page: keptPosts(session, forumId, filter) }))
  useEffect(() => {
    if (page !== null) placeIn(session, forumId).posts = { filter: keyOf(filter), page }
  }, [session, forumId, filter, page])
  return left.filter === filter ? left.page : null
}

/** Returns the ref of the scroll container of a forum, which is scrolled to where the user left it. */
export function useKeptScroll(forumId: string) {
  const session = useSession()
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const place = placeIn(session, forumId)
    current.scrollTop = place.top
    return () => {
      place.top = current.scrollTop
    }
  }, [session, forumId])
  return box
}

function keyOf({ sort, tags, solved }: PostFilter): string {
  return JSON.stringify([sort, tags, solved])
}
