import { DEFAULT_PAGE } from '@foyer/protocol/limits'
import type { Message } from '@foyer/protocol/messages'
import type { Thread, ThreadPage } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import type { Client } from '@foyer/sdk/client'
import { delay } from '@foyer/sdk/delay'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useEffect, useEffectEvent, useMemo } from 'react'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { reloading } from '#src/thread-rooms/in-use/reloading.ts'
import { useAction } from '#src/ui/fields/use-action.ts'
import { useIsShown } from '../use-is-shown.ts'
import { keptPosts, useLeftPosts } from './forum-place.ts'
import { fitsFilter, type PostFilter, withNewest, withOlder, withPost, withReply } from './post-order.ts'

/**
 * Loads the posts of a forum page by page, and keeps them up to date. A new filter object loads them again. The posts from the
 * user's previous visit are shown until as many are loaded again.
 */
export function usePosts(forumId: string, filter: PostFilter) {
  const session = useSession()
  const { client } = session
  const ask = useCallback(
    (asked: Client, options?: CallOptions, before?: string) => {
      const { sort, tags, solved } = filter
      const query = {
        sort,
        limit: DEFAULT_PAGE,
        ...(tags.length > 0 && { tag: [...tags] }),
        ...(solved !== null && { solved }),
        ...(before !== undefined && { before }),
      }
      return asked.api(ThreadRooms).list(forumId, query, options)
    },
    [forumId, filter],
  )
  const first = useCallback(
    async (asked: Client, options: CallOptions) => {
      const reach = keptPosts(session, forumId, filter)?.threads.length ?? 0
      let page = await ask(asked, options)
      while (page.next !== null && page.threads.length < reach)
        page = withOlder(page, await ask(asked, options, page.next))
      return page
    },
    [ask, session, forumId, filter],
  )
  const { answer, isOutdated, again, change } = useAnswer(first)
  const older = useAction()
  // Events may have been missed while disconnected.
  useEvent('READY', again)

  const page = answer.state === 'here' ? answer.value : null
  const left = useLeftPosts(forumId, filter, isOutdated ? null : page)
  const refresh = useRefresh(ask, change, filter)
  usePostEvents({ forumId, filter, page, refresh, change })

  const next = page?.next ?? null
  function loadMore() {
    if (next === null) return
    older.run(async () => {
      const loaded = await ask(client, undefined, next)
      change((now) => (now.next === next ? withOlder(now, loaded) : now))
    })
  }
  const shown = page === null && left !== null ? ({ state: 'here', value: left } as const) : answer
  return { answer: shown, isOutdated, again, hasMore: next !== null, loadMore, older }
}

/** Time over which the clients that show a forum spread their requests after an event. */
const SPREAD_MS = { least: 200, most: 1200 }

/** Returns a function that loads the first page again: once for several events in quick succession. */
function useRefresh(
  ask: (client: Client, options?: CallOptions) => Promise<ThreadPage>,
  change: (change: (page: ThreadPage) => ThreadPage) => void,
  filter: PostFilter,
): () => Promise<void> {
  const { client } = useSession()
  const isShown = useIsShown()
  return useMemo(
    () =>
      reloading(async (isStale) => {
        await delay(SPREAD_MS.least + Math.random() * (SPREAD_MS.most - SPREAD_MS.least))
        if (!isShown()) return
        const newest = await ask(client)
        if (!isStale()) change((now) => withNewest(now, newest, filter))
      }),
    [ask, client, change, filter, isShown],
  )
}

interface Listed {
  readonly forumId: string
  readonly filter: PostFilter
  readonly page: ThreadPage | null
  refresh(): Promise<void>
  change(change: (page: ThreadPage) => ThreadPage): void
}

function usePostEvents({ forumId, filter, page, refresh, change }: Listed): void {
  const { client } = useSession()
  const lists = (id: string | null) => page?.threads.some((thread) => thread.id === id) === true

  const onThread = useEffectEvent((thread: Thread) => {
    if (thread.room_id !== forumId) return
    if (lists(thread.id)) change((now) => withPost(now, thread, filter))
    // Only the server knows the first message and the reply count of the post.
    else if (fitsFilter(thread, filter)) void refresh()
  })
  const onMessage = useEffectEvent((message: Message) => {
    if (message.parent_room_id !== forumId) return
    if (lists(message.room_id)) change((now) => withReply(now, message, filter))
    // The first message is the text of the post. If all posts are loaded, a missing post does not match the filter.
    const isWhole = page?.next === null
    const movesUp = filter.sort === 'activity' && !isWhole && !lists(message.room_id)
    if (message.seq === 1 || movesUp) void refresh()
  })
  const onChanged = useEffectEvent((id: string) => {
    if (page?.threads.some(({ opening }) => opening?.message_id === id)) void refresh()
  })
  const onDeleted = useEffectEvent((id: string | null) => {
    if (lists(id)) void refresh()
  })

  useEffect(() => {
    const { gateway } = client
    const stops = [
      gateway.on('THREAD_CREATE', (thread) => onThread(thread)),
      gateway.on('THREAD_UPDATE', (thread) => onThread(thread)),
      gateway.on('THREAD_DELETE', ({ id }) =>
        change((now) => ({ ...now, threads: now.threads.filter((thread) => thread.id !== id) })),
      ),
      gateway.on('MESSAGE_CREATE', (message) => onMessage(message)),
      gateway.on('MESSAGE_UPDATE', ({ id }) => onChanged(id)),
      gateway.on('MESSAGE_DELETE', ({ room_id }) => onDeleted(room_id)),
      gateway.on('MESSAGE_DELETE_BULK', ({ room_id }) => onDeleted(room_id)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client, change])
}
