import { MAX_PAGE } from '@foyer/protocol/limits'
import type { Thread, ThreadPage } from '@foyer/protocol/thread-rooms'
import { ThreadRooms } from '@foyer/sdk/api/thread-rooms'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import { useEvent } from '#src/session/use-event.ts'
import { withPage } from '../list/thread-list.ts'
import { useThreadEvents } from '../list/use-thread-list.ts'

const NOTHING: ThreadPage = { threads: [], next: null }
const nothing = () => undefined

/**
 * Returns the threads that began from the loaded messages of a room, and keeps them up to date. Requests each message once.
 * @param isWanted false while all threads of the room are known anyway
 */
export function useShownStarters(roomId: string, isWanted: boolean): readonly Thread[] {
  const { client, store } = useSession()
  const [page, change] = useState(NOTHING)
  const [times, setTimes] = useState(0)
  const asked = useRef(new Set<string>())
  const messages = useAppState((state) => state.timelines[roomId]?.messages)

  // A new message needs no request: a thread that begins from it arrives as THREAD_CREATE.
  useEvent('MESSAGE_CREATE', ({ id, room_id }) => {
    if (room_id !== roomId) return
    asked.current.add(id)
    forgetUnloaded(asked.current, store.get().timelines[roomId]?.messages ?? [])
  })
  // Events may have been missed while disconnected.
  useEvent('READY', () => {
    asked.current.clear()
    change(NOTHING)
    setTimes((count) => count + 1)
  })
  const source = useMemo(
    () => ({
      fits: ({ starter_message_id }: Thread, isListed: boolean) =>
        isListed || asked.current.has(starter_message_id ?? ''),
      isAddedBy: () => false,
      isFollowed: false,
    }),
    [],
  )
  useThreadEvents({ source, list: page, again: nothing, change })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new count repeats the request
  useEffect(() => {
    forgetUnloaded(asked.current, messages ?? [])
    const due = isWanted ? (messages ?? []).filter(({ id }) => !asked.current.has(id)) : []
    for (let from = 0; from < due.length; from += MAX_PAGE) {
      const ids = due.slice(from, from + MAX_PAGE).map(({ id }) => id)
      for (const id of ids) asked.current.add(id)
      client
        .api(ThreadRooms)
        .list(roomId, { starter_id: ids })
        .then(
          (found) => change((now) => ({ ...withPage(now, found), next: null })),
          // After an error, the next change of the loaded messages repeats the request.
          () => ids.forEach((id) => void asked.current.delete(id)),
        )
    }
  }, [client, roomId, isWanted, messages, times])

  return page.threads
}

/**
 * Removes the ids of messages that are no longer loaded, once they are the majority, so that a busy room does not fill
 * the memory. If such a message is loaded again, its thread is requested again.
 */
export function forgetUnloaded(asked: Set<string>, messages: readonly { id: string }[]): void {
  if (asked.size <= 2 * messages.length) return
  const loaded = new Set(messages.map(({ id }) => id))
  for (const id of asked) if (!loaded.has(id)) asked.delete(id)
}
