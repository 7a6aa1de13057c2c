import type { Message } from '@foyer/protocol/messages'
import { MAX_HELD_MESSAGES, type State, type Timeline } from '../state.ts'
import { laterReplies } from './threads.ts'

/** A response of the history endpoint, in any order, and the position requested. */
export interface Page {
  readonly channel_id: string
  /** `around` replaces the timeline. */
  readonly at: 'latest' | 'before' | 'after' | 'around'
  readonly messages: readonly Message[]
  /** The newest known `seq` at the time of the request. Newer messages arrived while the page was loading. */
  readonly asked_seq: number
  /** True if the requested direction has no more messages. */
  readonly complete: boolean
}

/** Changes a channel's timeline. Returns the same state if there is none, or nothing changed. */
export function withTimeline(
  state: State,
  channelId: string,
  change: (timeline: Timeline) => Timeline,
): State {
  const timeline = state.timelines[channelId]
  if (timeline === undefined) return state
  const changed = change(timeline)
  return changed === timeline ? state : { ...state, timelines: { ...state.timelines, [channelId]: changed } }
}

/** Adds a live message. A message already in the timeline is left unchanged. */
export function withMessage(timeline: Timeline, message: Message): Timeline {
  if (timeline.hasNewer) return timeline
  const messages = merge(timeline.messages, [message])
  if (messages === timeline.messages) return timeline
  const kept = messages.slice(-MAX_HELD_MESSAGES)
  return { ...timeline, messages: kept, hasOlder: timeline.hasOlder || kept.length < messages.length }
}

/** Updates an edited message, and the quotes in its replies. */
export function withEdited(timeline: Timeline, message: Message): Timeline {
  const { referenced_message: _, ...referenced } = message
  return withChanged(timeline, (held) => {
    if (held.id === message.id) return message
    const isAnswer = held.referenced_message?.id === message.id
    return isAnswer ? { ...held, referenced_message: referenced } : held
  })
}

/** Removes messages, and the quotes in their replies. */
export function withoutHeld(timeline: Timeline, ids: ReadonlySet<string>): Timeline {
  const left = timeline.messages.filter((held) => !ids.has(held.id))
  const kept = left.length === timeline.messages.length ? timeline : { ...timeline, messages: left }
  return withChanged(kept, (held) =>
    ids.has(held.referenced_message?.id ?? '') ? { ...held, referenced_message: null } : held,
  )
}

/** Marks a possible gap after a `seq`. An earlier gap stays. */
export function withGap(timeline: Timeline, after: number): Timeline {
  // A timeline that ends before the present needs no gap: newer messages are loaded from its end anyway.
  if (timeline.hasNewer) return timeline
  return { ...timeline, missedAfter: Math.min(timeline.missedAfter ?? after, after) }
}

/** Joins a page of history to the timeline. */
export function withPage(timeline: Timeline | undefined, page: Page): Timeline {
  if (page.at === 'around') return withAround(page)
  if (timeline === undefined || page.at === 'latest') return withLatest(timeline, page)
  const messages = merge(timeline.messages, page.messages)
  if (page.at === 'after') return withNewerPage(timeline, messages, page)
  const kept = messages.slice(0, MAX_HELD_MESSAGES)
  const cut = kept.length < messages.length
  return { ...timeline, messages: kept, hasOlder: !page.complete, hasNewer: timeline.hasNewer || cut }
}

/** Returns the last message before the gap, or the last message. */
export function lastTrusted({ messages, missedAfter }: Timeline): Message | undefined {
  return missedAfter === null ? messages.at(-1) : messages.findLast((message) => message.seq <= missedAfter)
}

/** Returns true if the newest page reaches the loaded messages, so that they join without a gap. */
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
 * Joins the newest page. Loaded messages in its range that it lacks were deleted, except live messages that arrived while
 * the page was loading. Older messages stay if they join without a gap.
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

/** Decides by `seq` if there are older or newer messages. If those were deleted, the next page is empty. */
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

/** Merges two lists by `seq` without duplicates. Returns the first list if nothing is new. */
function merge(held: readonly Message[], added: readonly Message[]): readonly Message[] {
  const ids = new Set(held.map((message) => message.id))
  const fresh = added.filter((message) => !ids.has(message.id) && ids.add(message.id))
  if (fresh.length === 0) return held
  return [...held, ...fresh].sort((a, b) => a.seq - b.seq)
}

/** Prefers edits and replies received while the page was loading. */
function newest(message: Message, held: readonly Message[]): Message {
  const other = held.find((candidate) => candidate.id === message.id)
  const isOlder = other !== undefined && (other.edited_at ?? '') > (message.edited_at ?? '')
  const replies = laterReplies(message.replies, other?.replies)
  return isOlder ? { ...other, replies } : { ...message, replies }
}
