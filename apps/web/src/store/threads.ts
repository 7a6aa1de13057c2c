import { MAX_REPLY_COUNT } from '@foyer/protocol/limits'
import type { DeletedMessage, Message, ThreadReplies } from '@foyer/protocol/messages'
import type { Timeline } from './state.ts'

const MAX_FACES = 3

/** The timeline once the message that begins a reply's thread counts it. What it counted before is not counted again. */
export function withReply(timeline: Timeline, reply: Message): Timeline {
  return withReplies(timeline, reply.thread_id, ({ replies }) => {
    if (reply.seq <= (replies?.last_seq ?? 0)) return replies
    const others = (replies?.users ?? []).filter(({ id }) => id !== reply.author.id)
    return {
      count: Math.min(MAX_REPLY_COUNT, (replies?.count ?? 0) + 1),
      last_seq: reply.seq,
      last_at: reply.created_at,
      users: [reply.author, ...others].slice(0, MAX_FACES),
    }
  })
}

/** The timeline once replies are gone. Where there were too many to count them, there still may be. */
export function withoutReplies(timeline: Timeline, gone: readonly DeletedMessage[]): Timeline {
  return gone.reduce(
    (now, { thread_id, seq }) =>
      withReplies(now, thread_id, ({ replies }) => {
        if (replies === null || replies.count >= MAX_REPLY_COUNT || seq > replies.last_seq) return replies
        return replies.count === 1 ? null : { ...replies, count: replies.count - 1 }
      }),
    timeline,
  )
}

/** What of a thread was said before its first reply that is held. */
export interface EarlierReplies {
  readonly threadId: string
  /** The reply that they were asked for before; undefined where none was left. */
  readonly before: string | undefined
  readonly replies: readonly Message[]
  /** There are none before these. */
  readonly complete: boolean
}

/** A thread's timeline with earlier replies, between the message that begins it and those that it holds. */
export function withEarlierReplies(timeline: Timeline, earlier: EarlierReplies): Timeline {
  const { messages } = timeline
  const at = messages[0]?.id === earlier.threadId ? 1 : 0
  // Loaded anew meanwhile, it begins elsewhere: these would leave a hole.
  if (messages[at]?.id !== earlier.before) return timeline
  return {
    ...timeline,
    messages: messages.toSpliced(at, 0, ...earlier.replies),
    hasOlder: !earlier.complete,
  }
}

/** Of two tellings of a thread the one that knows of later replies. */
export function laterReplies(
  told: ThreadReplies | null,
  held: ThreadReplies | null | undefined,
): ThreadReplies | null {
  return (held?.last_seq ?? 0) > (told?.last_seq ?? 0) ? (held ?? null) : told
}

function withReplies(
  timeline: Timeline,
  threadId: string | null,
  change: (first: Message) => ThreadReplies | null,
): Timeline {
  const index = threadId === null ? -1 : timeline.messages.findIndex(({ id }) => id === threadId)
  const first = timeline.messages[index]
  if (first === undefined) return timeline
  const replies = change(first)
  if (replies === first.replies) return timeline
  return { ...timeline, messages: timeline.messages.with(index, { ...first, replies }) }
}
