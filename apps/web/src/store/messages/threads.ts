import { MAX_REPLY_COUNT } from '@foyer/protocol/limits'
import type { DeletedMessage, Message, ThreadReplies } from '@foyer/protocol/messages'
import type { Timeline } from '../state.ts'

const MAX_FACES = 3

/** Counts a reply at the first message of its thread. A reply already counted is ignored. */
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

/** Subtracts deleted replies. A count at its limit stays, because there may be more replies. */
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

/** Replies of a thread before the first loaded reply. */
export interface EarlierReplies {
  readonly threadId: string
  /** Id of the loaded reply that came after these when they were requested; undefined if there was none. */
  readonly before: string | undefined
  readonly replies: readonly Message[]
  /** True if there are no earlier replies. */
  readonly complete: boolean
}

/** Inserts earlier replies between the first message of a thread and its loaded replies. */
export function withEarlierReplies(timeline: Timeline, earlier: EarlierReplies): Timeline {
  const { messages } = timeline
  const at = messages[0]?.id === earlier.threadId ? 1 : 0
  // If the timeline was reloaded since the request, these replies would leave a gap.
  if (messages[at]?.id !== earlier.before) return timeline
  return {
    ...timeline,
    messages: messages.toSpliced(at, 0, ...earlier.replies),
    hasOlder: !earlier.complete,
  }
}

/** Returns the newer reply counts: the ones that include a later reply. */
export function laterReplies(
  received: ThreadReplies | null,
  held: ThreadReplies | null | undefined,
): ThreadReplies | null {
  return (held?.last_seq ?? 0) > (received?.last_seq ?? 0) ? (held ?? null) : received
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
