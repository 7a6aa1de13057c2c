import type { EventName, Events } from '@foyer/protocol/events'
import { GREATEST_ID } from '@foyer/protocol/ids'
import type { Message } from '@foyer/protocol/messages'
import type { Client } from '@foyer/sdk/client'
import { ApiError, type CallOptions } from '@foyer/sdk/rest'
import { useCallback, useEffect, useMemo } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { useEvent } from '#src/session/use-event.ts'
import { withEarlierReplies } from '#src/store/messages/threads.ts'
import { reduceEvent } from '#src/store/reducers.ts'
import type { Timeline } from '#src/store/state.ts'
import { useAction } from '#src/ui/fields/use-action.ts'

const PAGE = 50

const CHANGES = [
  'MESSAGE_UPDATE',
  'MESSAGE_DELETE',
  'MESSAGE_DELETE_BULK',
  'MESSAGE_REACTION_ADD',
  'MESSAGE_REACTION_REMOVE',
  'MESSAGE_REACTION_CLEAR',
] as const satisfies readonly EventName[]

const NONE: readonly Message[] = []

/** Loads a thread's replies and its first message, unless that was deleted, and keeps them up to date. */
export function useThread({ id, address }: OpenChannel, threadId: string) {
  const session = useSession()
  const ask = useCallback(
    (client: Client, options: CallOptions) => loadThread(client, { address, threadId }, options),
    [address, threadId],
  )
  const { answer, again, change } = useAnswer(ask)
  const earlier = useAction()
  const live = useAppState((state) => state.timelines[id]?.messages ?? NONE)
  const timeline = answer.state === 'here' ? answer.value : undefined

  useEffect(() => {
    const isHere = (message: Message) => message.thread_id === threadId
    const stops = [
      follow(session, 'MESSAGE_CREATE', { id, change, concerns: isHere }),
      ...CHANGES.map((name) => follow(session, name, { id, change })),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [session, id, threadId, change])
  // Events may have been missed while disconnected.
  useEvent('READY', again)

  const messages = useMemo(() => withLive(timeline, live, threadId), [timeline, live, threadId])

  const first = messages.find((message) => message.id === threadId)
  const replies = messages.filter((message) => message.id !== threadId)

  /** @param show applies the change to the view, once the page is loaded */
  function loadEarlier(show: (change: () => void) => void) {
    const before = replies[0]?.id
    earlier.run(async () => {
      const query = { before: before ?? GREATEST_ID, limit: PAGE }
      const page = await session.client.messages.replies(address, threadId, query)
      const found = { threadId, before, replies: page, complete: page.length < PAGE }
      show(() => change((now) => withEarlierReplies(now, found)))
    })
  }

  return { answer, again, first, replies, hasEarlier: timeline?.hasOlder === true, loadEarlier, earlier }
}

/** Loads the latest replies. A deleted first message is left out. */
async function loadThread(
  client: Client,
  { address, threadId }: Pick<OpenChannel, 'address'> & { threadId: string },
  options: CallOptions,
): Promise<Timeline> {
  const [first, replies] = await Promise.all([
    client.messages.get(address, threadId, options).catch(nothingIfGone),
    client.messages.replies(address, threadId, { before: GREATEST_ID, limit: PAGE }, options),
  ])
  const messages = [...(first === null ? [] : [first]), ...replies]
  return { messages, hasOlder: replies.length === PAGE, hasNewer: false, missedAfter: null }
}

function nothingIfGone(error: unknown): null {
  if (error instanceof ApiError && error.code === 'unknown_message') return null
  throw error
}

interface Followed<Name extends EventName> {
  /** Id of the channel that the thread belongs to. */
  readonly id: string
  concerns?(data: Events[Name]): boolean
  change(change: (timeline: Timeline) => Timeline): void
}

/** Applies events to the thread's timeline with the reducer of channels, as if the thread were the channel. */
function follow<Name extends EventName>(
  session: Session,
  name: Name,
  { id, concerns, change }: Followed<Name>,
): () => void {
  return session.client.gateway.on(name, (data: Events[Name]) => {
    if (concerns?.(data) === false) return
    const now = session.store.get()
    change((timeline) => {
      const state = reduceEvent({ ...now, timelines: { [id]: timeline } }, name, data, Date.now())
      return state.timelines[id] ?? timeline
    })
  })
}

/** Adds messages from the channel's timeline, which receives the user's own replies a moment before the thread does. */
function withLive(timeline: Timeline | undefined, live: readonly Message[], threadId: string) {
  if (timeline === undefined) return NONE
  const known = new Set(timeline.messages.map(({ id }) => id))
  const last = timeline.messages.at(-1)?.seq ?? 0
  const later = live.filter(
    (message) => message.thread_id === threadId && message.seq > last && !known.has(message.id),
  )
  return later.length === 0 ? timeline.messages : [...timeline.messages, ...later]
}
