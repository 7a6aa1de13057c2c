import type { Message } from '@foyer/protocol/messages'
import type { Thread, ThreadFollowUpdate, ThreadPage } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useEffect, useEffectEvent } from 'react'
import { useSession } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import type { State } from '#src/store/state.ts'
import { useAction } from '#src/ui/fields/use-action.ts'
import {
  isUnreadThread,
  withFollow,
  withMessage,
  withoutMessages,
  withoutThread,
  withPage,
  withThread,
} from './thread-list.ts'

/** The source of a list of threads. Create it once, because a new object loads the list again. */
export interface ThreadSource {
  load(threads: ThreadRooms, before: string | undefined, options?: CallOptions): Promise<ThreadPage>
  /** Returns true if a created or changed thread belongs in the list. */
  fits(thread: Thread, isListed: boolean): boolean
  /** Returns true if a message in a thread that is not listed may have brought it into the list. */
  isAddedBy(message: Message, state: State): boolean
  /** True if the list has only threads that the user follows. */
  readonly isFollowed: boolean
  /** True if the list has only followed threads that are unread. */
  readonly isUnread?: boolean
}

/** Loads threads page by page, and keeps them up to date. */
export function useThreadList(source: ThreadSource) {
  const { client } = useSession()
  const ask = useCallback(
    (asked: Client, options: CallOptions) => source.load(asked.api(ThreadRooms), undefined, options),
    [source],
  )
  const { answer, again, change } = useAnswer(ask)
  const older = useAction()
  const list = answer.state === 'here' ? answer.value : null
  // Events may have been missed while disconnected.
  useEvent('READY', again)
  useThreadEvents({ source, list, again, change })

  const next = list?.next ?? null
  function loadMore() {
    if (next === null) return
    older.run(async () => {
      const page = await source.load(client.api(ThreadRooms), next)
      change((now) => (now.next === next ? withPage(now, page) : now))
    })
  }
  return { answer, again, hasMore: next !== null, loadMore, older }
}

interface Listed {
  readonly source: Omit<ThreadSource, 'load'>
  readonly list: ThreadPage | null
  again(): void
  change(change: (list: ThreadPage) => ThreadPage): void
}

/** Keeps a list of threads up to date. */
export function useThreadEvents({ source, list, again, change }: Listed): void {
  const { client, store } = useSession()
  const lists = (threadId: string | null) => list?.threads.some(({ id }) => id === threadId) === true

  const onThread = useEffectEvent((thread: Thread) =>
    change((now) => withThread(now, thread, source.fits(thread, lists(thread.id)))),
  )
  const onMessage = useEffectEvent((message: Message) => {
    if (lists(message.room_id)) change((now) => withMessage(now, message, store.get().me?.id))
    else if (source.isAddedBy(message, store.get())) again()
  })
  const onDeleted = useEffectEvent((threadId: string | null, count: number) => {
    if (threadId !== null && lists(threadId)) change((now) => withoutMessages(now, threadId, count))
  })
  const onFollow = useEffectEvent((update: ThreadFollowUpdate) => {
    const isRead = source.isUnread === true && !isUnreadThread({ own: update })
    if (isRead || (source.isFollowed && update.follow === null))
      change((now) => withoutThread(now, update.thread_id))
    else if (lists(update.thread_id)) change((now) => withFollow(now, update))
    else if (source.isFollowed) again()
  })

  useEffect(() => {
    const { gateway } = client
    const stops = [
      gateway.on('THREAD_CREATE', (thread) => onThread(thread)),
      gateway.on('THREAD_UPDATE', (thread) => onThread(thread)),
      gateway.on('THREAD_DELETE', ({ id }) => change((now) => withoutThread(now, id))),
      gateway.on('THREAD_FOLLOW_UPDATE', (update) => onFollow(update)),
      gateway.on('MESSAGE_CREATE', (message) => onMessage(message)),
      gateway.on('MESSAGE_DELETE', ({ room_id }) => onDeleted(room_id, 1)),
      gateway.on('MESSAGE_DELETE_BULK', ({ room_id, messages }) => onDeleted(room_id, messages.length)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client, change])
}
