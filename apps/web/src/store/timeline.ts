import type { Message } from '@foyer/protocol/messages'
import { MAX_HELD_MESSAGES, type Timeline } from './state.ts'
import { laterReplies } from './threads.ts'

/** One answer of the history endpoint, in any order, and where it was asked for. */
export interface Page {
  readonly channel_id: string
  /** `around` begins the timeline anew there, wherever it was. */
  readonly at: 'latest' | 'before' | 'after' | 'around'
  readonly messages: readonly Message[]
  /** The newest `seq` that was known when the page was asked for: what is newer came while it was under way. */
  readonly asked_seq: number
  /** There is nothing further in the direction that was asked. */
  readonly complete: boolean
}

/** The timeline with a message of the present at its place. A message that is there already stays as it is. */
export function withMessage(timeline: Timeline, message: Message): Timeline {
  if (timeline.hasNewer) return timeline
  const messages = merge(timeline.messages, [message])
  if (messages === timeline.messages) return timeline
  const kept = messages.slice(-MAX_HELD_MESSAGES)
  return { ...timeline, messages: kept, hasOlder: timeline.hasOlder || kept.length < messages.length }
}

/** The timeline with a newer version of a message, where it holds that and where others answer it. */
export function withEdited(timeline: Timeline, message: Message): Timeline {
  const { referenced_message: _, ...referenced } = message
  return withChanged(timeline, (held) => {
    if (held.id === message.id) return message
    const isAnswer = held.referenced_message?.id === message.id
    return isAnswer ? { ...held, referenced_message: referenced } : held
  })
}

/** The timeline without messages; those that answer one of them say so no longer. */
export function withoutHeld(timeline: Timeline, ids: ReadonlySet<string>): Timeline {
  const left = timeline.messages.filter((held) => !ids.has(held.id))
  const kept = left.length === timeline.messages.length ? timeline : { ...timeline, messages: left }
  return withChanged(kept, (held) =>
    ids.has(held.referenced_message?.id ?? '') ? { ...held, referenced_message: null } : held,
  )
}

/** The timeline once more may have been missed; what was missed before stays missed. */
export function withGap(timeline: Timeline, after: number): Timeline {
  // A run that ends before the present misses nothing: it is fetched on from its end anyway.
  if (timeline.hasNewer) return timeline
  return { ...timeline, missedAfter: Math.min(timeline.missedAfter ?? after, after) }
}

/** The timeline with a page of history joined to it. */
export function withPage(timeline: Timeline | undefined, page: Page): Timeline {
  if (page.at === 'around') return withAround(page)
  if (timeline === undefined || page.at === 'latest') return withLatest(timeline, page)
  const messages = merge(timeline.messages, page.messages)
  if (page.at === 'after') return withNewerPage(timeline, messages, page)
  const kept = messages.slice(0, MAX_HELD_MESSAGES)
  const cut = kept.length < messages.length
  return { ...timeline, messages: kept, hasOlder: !page.complete, hasNewer: timeline.hasNewer || cut }
}

/** The last message before the hole, or before the end. */
export function lastTrusted({ messages, missedAfter }: Timeline): Message | undefined {
  return missedAfter === null ? messages.at(-1) : messages.findLast((message) => message.seq <= missedAfter)
}

/** Whether the newest page reaches back to what is held, so that the two can be joined without a hole. */
export function overlaps(timeline: Timeline, page: readonly Message[]): boolean {
  const last = lastTrusted(timeline)
  return last !== undefined && !timeline.hasNewer && page.some((message) => message.seq <= last.seq)
}

function withNewerPage(timeline: Timeline, messages: readonly Message[], page: Page): Timeline {
  const kept = messages.slice(-MAX_HELD_MESSAGES)
  const hasOlder = timeline.hasOlder || kept.length < messages.length
  if (timeline.missedAfter === null)
    return { ...timeline, messages: kept, hasOlder, hasNewer: !page.complete }
  const reached = Math.max(timeline.missedAfter, ...page.messages.map((message) => message.seq))
  return { ...timeline, messages: kept, hasOlder, missedAfter: page.complete ? null : reached }
}

/**
 * From the newest page's first message on the server is right: what it no longer has was deleted. Before it
 * stays what joins without a hole, after it what came live while the page was under way.
 */
function withLatest(timeline: Timeline | undefined, page: Page): Timeline {
  const fresh = merge([], page.messages)
  const first = fresh[0]?.seq ?? 0
  const ids = new Set(fresh.map((message) => message.id))
  const joined = timeline !== undefined && !page.complete && overlaps(timeline, fresh)
  const held = timeline?.messages ?? []
  const before = joined ? held.filter((message) => message.seq < first) : []
  const live = timeline?.hasNewer
    ? []
    : held.filter((message) => message.seq > page.asked_seq && !ids.has(message.id))
  const messages = [...before, ...fresh.map((message) => newest(message, held)), ...live]
  const kept = messages.slice(-MAX_HELD_MESSAGES)
  const hasOlder = (joined ? timeline.hasOlder : !page.complete) || kept.length < messages.length
  return { messages: kept, hasOlder, hasNewer: false, missedAfter: null }
}

function withChanged(timeline: Timeline, change: (message: Message) => Message): Timeline {
  const messages = timeline.messages.map(change)
  const isSame = messages.every((message, index) => message === timeline.messages[index])
  return isSame ? timeline : { ...timeline, messages }
}

/** What is at either end is known by the numbers: they may be of deleted messages, then the next page says so. */
function withAround({ messages, asked_seq }: Page): Timeline {
  const held = merge([], messages)
  const [first, last] = [held[0], held.at(-1)]
  return {
    messages: held,
    hasOlder: first !== undefined && first.seq > 1,
    hasNewer: last === undefined || last.seq < asked_seq,
    missedAfter: null,
  }
}

/** Both lists as one, in the order of `seq`, each id once; the first list itself when nothing was new. */
function merge(held: readonly Message[], added: readonly Message[]): readonly Message[] {
  const ids = new Set(held.map((message) => message.id))
  const fresh = added.filter((message) => !ids.has(message.id) && ids.add(message.id))
  if (fresh.length === 0) return held
  return [...held, ...fresh].sort((a, b) => a.seq - b.seq)
}

/** An edit or a reply that was heard while the page was under way is newer than the page. */
function newest(message: Message, held: readonly Message[]): Message {
  const other = held.find((candidate) => candidate.id === message.id)
  const isOlder = other !== undefined && (other.edited_at ?? '') > (message.edited_at ?? '')
  const replies = laterReplies(message.replies, other?.replies)
  return isOlder ? { ...other, replies } : { ...message, replies }
}
