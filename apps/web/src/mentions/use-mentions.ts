import type { Member } from '@foyer/protocol/members'
import type { Message } from '@foyer/protocol/messages'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { mentionsMe } from '#src/store/read-states.ts'
import { useAction } from '#src/ui/use-action.ts'
import { inSight, isMeant, type ListedMentions, type MentionNews, withNews } from './mention-groups.ts'

const NO_NEWS: MentionNews = new Map()
const NO_MESSAGES: readonly Message[] = []

/** What mentions the reader, in all places and as it is now, page by page. */
export function useMentions() {
  const session = useSession()
  const [news, setNews] = useState(NO_NEWS)
  const ask = useCallback(
    (_client: Client, options: CallOptions) => loadMentions(session, null, options),
    [session],
  )
  const { answer, again, change } = useAnswer(ask)
  const older = useAction()
  useEffect(() => hearMentions(session, (heard) => setNews((now) => new Map([...now, ...heard]))), [session])
  const anew = useCallback(() => {
    setNews(NO_NEWS)
    again()
  }, [again])
  // What happened while the connection was away was not heard.
  useEvent('READY', anew)
  // Pages may have gone by that had nothing but what they said.
  useEvent('BLOCK_DELETE', anew)
  useEvent('SPACE_MEMBER_UPDATE', useWhenOwn(anew))

  const listed = answer.state === 'here' ? answer.value : undefined
  const blocks = useAppState((state) => state.blocks)
  const rooms = useAppState((state) => state.rooms)
  const conversations = useAppState((state) => state.conversations)
  const messages = useMemo(
    () =>
      listed === undefined ? NO_MESSAGES : inSight({ blocks, rooms, conversations }, withNews(listed, news)),
    [listed, news, blocks, rooms, conversations],
  )

  const cursor = listed?.cursor ?? null
  function loadOlder() {
    if (cursor === null) return
    older.run(async () => {
      const page = await loadMentions(session, cursor)
      change((now) => (now.cursor === cursor ? withOlder(now, page) : now))
    })
  }
  // Of what the server looked at nothing may count, and a whole page may be somebody's who was just blocked.
  const isLooking = messages.length === 0 && cursor !== null && older.error === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that has nothing asks for the next one
  useEffect(() => {
    if (isLooking && !older.pending) loadOlder()
  }, [isLooking, older.pending, cursor])

  return { answer, again, messages, hasOlder: cursor !== null, isLooking, loadOlder, older }
}

/** What is said to a role is said to who has it now. */
function useWhenOwn(anew: () => void): (member: Member) => void {
  const { store } = useSession()
  return useCallback((member) => member.user_id === store.get().me?.id && anew(), [store, anew])
}

async function loadMentions(
  { client, store }: Session,
  before: string | null,
  options?: CallOptions,
): Promise<ListedMentions> {
  const query = before === null ? {} : { before }
  const { messages, cursor } = await client.mentions.list(query, options)
  store.dispatch(
    'users_told',
    messages.map(({ author }) => author),
  )
  return { messages, cursor }
}

function withOlder({ messages }: ListedMentions, page: ListedMentions): ListedMentions {
  return { ...page, messages: [...messages, ...page.messages] }
}

/** Tells how messages are that were just said, changed or deleted. @returns what ends that */
function hearMentions({ client, store }: Session, tell: (news: MentionNews) => void): () => void {
  const { gateway } = client
  const counts = (message: Message) => mentionsMe(store.get(), message) && isMeant(store.get(), message)
  const stops = [
    gateway.on('MESSAGE_CREATE', (message) => counts(message) && tell(new Map([[message.id, message]]))),
    gateway.on('MESSAGE_UPDATE', (message) =>
      tell(new Map([[message.id, counts(message) ? message : null]])),
    ),
    gateway.on('MESSAGE_DELETE', ({ id }) => tell(new Map([[id, null]]))),
    gateway.on('MESSAGE_DELETE_BULK', (deleted) =>
      tell(new Map(deleted.messages.map(({ id }) => [id, null]))),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
