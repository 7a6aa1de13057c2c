import type { Member } from '@foyer/protocol/members'
import type { Message } from '@foyer/protocol/messages'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { mentionsMe } from '#src/store/messages/read-states.ts'
import { useAction } from '#src/ui/fields/use-action.ts'
import { inSight, isMeant, type ListedMentions, type MentionChanges, withChanges } from './mention-groups.ts'

const NO_CHANGES: MentionChanges = new Map()
const NO_MESSAGES: readonly Message[] = []

/** Loads the user's mentions in all channels page by page, and keeps them up to date. */
export function useMentions() {
  const session = useSession()
  const [changes, setChanges] = useState(NO_CHANGES)
  const ask = useCallback((_: Client, call: CallOptions) => loadMentions(session, null, call), [session])
  const { answer, again, change } = useAnswer(ask)
  const older = useAction()
  useEffect(
    () => watchMentions(session, (added) => setChanges((now) => new Map([...now, ...added]))),
    [session],
  )
  const reload = useCallback(() => {
    setChanges(NO_CHANGES)
    again()
  }, [again])
  // Events may have been missed while disconnected.
  useEvent('READY', reload)
  // Pages that only had messages of the unblocked person may have been skipped.
  useEvent('BLOCK_DELETE', reload)
  useEvent('SPACE_MEMBER_UPDATE', useWhenOwn(reload))

  const listed = answer.state === 'here' ? answer.value : undefined
  const blocks = useAppState((state) => state.blocks)
  const rooms = useAppState((state) => state.rooms)
  const conversations = useAppState((state) => state.conversations)
  const messages = useMemo(
    () =>
      listed === undefined
        ? NO_MESSAGES
        : inSight({ blocks, rooms, conversations }, withChanges(listed, changes)),
    [listed, changes, blocks, rooms, conversations],
  )

  const cursor = listed?.cursor ?? null
  function loadOlder() {
    if (cursor === null) return
    older.run(async () => {
      const page = await loadMentions(session, cursor)
      change((now) => (now.cursor === cursor ? withOlder(now, page) : now))
    })
  }
  // A page may have nothing to show, for example if all of it is by someone the user just blocked.
  const isSearching = messages.length === 0 && cursor !== null && older.error === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: every page with nothing to show loads the next one
  useEffect(() => {
    if (isSearching && !older.pending) loadOlder()
  }, [isSearching, older.pending, cursor])

  return { answer, again, messages, hasOlder: cursor !== null, isSearching, loadOlder, older }
}

/** Returns a handler that reloads after a change of the user's roles: role mentions count for members who have the role now. */
function useWhenOwn(reload: () => void): (member: Member) => void {
  const { store } = useSession()
  return useCallback((member) => member.user_id === store.get().me?.id && reload(), [store, reload])
}

async function loadMentions(
  { client, store }: Session,
  before: string | null,
  options?: CallOptions,
): Promise<ListedMentions> {
  const query = before === null ? {} : { before }
  const { messages, cursor } = await client.mentions.list(query, options)
  store.dispatch(
    'users_loaded',
    messages.map(({ author }) => author),
  )
  return { messages, cursor }
}

function withOlder({ messages }: ListedMentions, page: ListedMentions): ListedMentions {
  return { ...page, messages: [...messages, ...page.messages] }
}

/**
 * Reports messages when they are created, changed or deleted.
 * @returns a function that stops it
 */
function watchMentions({ client, store }: Session, report: (changes: MentionChanges) => void): () => void {
  const { gateway } = client
  const counts = (message: Message) => mentionsMe(store.get(), message) && isMeant(store.get(), message)
  const stops = [
    gateway.on('MESSAGE_CREATE', (message) => counts(message) && report(new Map([[message.id, message]]))),
    gateway.on('MESSAGE_UPDATE', (message) =>
      report(new Map([[message.id, counts(message) ? message : null]])),
    ),
    gateway.on('MESSAGE_DELETE', ({ id }) => report(new Map([[id, null]]))),
    gateway.on('MESSAGE_DELETE_BULK', (deleted) =>
      report(new Map(deleted.messages.map(({ id }) => [id, null]))),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
