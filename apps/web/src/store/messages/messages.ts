import type { Events } from '@foyer/protocol/events'
import type { DeletedMessage, Message } from '@foyer/protocol/messages'
import { channelOfEvent, isKnownChannel, lastSeqOf, tombstoneOf, withLastSeq } from '../channels.ts'
import { MAX_TIMELINES, MAX_TOMBSTONES, type State, type Timeline, without } from '../state.ts'
import { withUsers } from '../users.ts'
import { withoutOutgoing } from './outbox.ts'
import { withOwnReactions } from './reactions.ts'
import { withCounted, withMentionsEdited, withUncounted } from './read-states.ts'
import { laterReplies, withoutReplies, withReply } from './threads.ts'
import {
  type Page,
  withEdited,
  withGap,
  withMessage,
  withoutHeld,
  withPage,
  withTimeline,
} from './timeline.ts'
import { withoutTyping } from './typing.ts'

export const messageReducers = {
  MESSAGE_CREATE: (before: State, message: Events['MESSAGE_CREATE']): State => {
    const channelId = channelOfEvent(message)
    const state = message.is_moved ? withoutTombstone(before, tombstoneOf(channelId, message.id)) : before
    const isKnown = isKnownChannel(state, channelId)
    // Ignores messages of unknown threads: these are loaded when they are opened.
    if (!isKnown && message.parent_room_id !== undefined) return state
    const last = isKnown ? lastSeqOf(state, channelId) : message.seq
    const sent = withCounted(withSent(state, message), message)
    const updated = withLastSeq(sent, channelId, message)
    if (message.seq <= last + 1) return updated
    return withTimeline(updated, channelId, (timeline) => withGap(timeline, last))
  },
  MESSAGE_UPDATE: (state: State, message: Events['MESSAGE_UPDATE']): State => {
    const channelId = channelOfEvent(message)
    const held = state.timelines[channelId]?.messages.find(({ id }) => id === message.id)
    const known = withMentionsEdited(withUsers(state, [message.author]), held, message)
    const replies = laterReplies(message.replies, held?.replies)
    const own = { ...withOwnReactions(message, held), replies }
    return withTimeline(known, channelId, (timeline) => withEdited(timeline, own))
  },
  MESSAGE_DELETE: (state: State, deleted: Events['MESSAGE_DELETE']): State =>
    withoutMessages(state, deleted, [deleted]),
  MESSAGE_DELETE_BULK: (state: State, deleted: Events['MESSAGE_DELETE_BULK']): State =>
    withoutMessages(state, deleted, deleted.messages),
}

/**
 * Adds a message to its timeline and removes it from the outbox. Also used for the response to sending, which may be
 * ahead of the gateway and therefore does not mark a gap.
 */
export function withSent(state: State, message: Message): State {
  const channelId = channelOfEvent(message)
  const known = withoutTyping(withUsers(state, [message.author]), channelId, message.author.id)
  const own = message.nonce !== null && message.author.id === state.me?.id
  const sent = own ? withoutOutgoing(known, channelId, message.nonce ?? '') : known
  if (state.tombstones.includes(tombstoneOf(channelId, message.id))) return sent
  return withTimeline(sent, channelId, (timeline) => withReply(withMessage(timeline, message), message))
}

/** Adds a page of history. Removes the timelines loaded longest ago if there are too many. */
export function withHistory(state: State, page: Page): State {
  const messages = page.messages.filter(
    ({ id }) => !state.tombstones.includes(tombstoneOf(page.channel_id, id)),
  )
  const known = withUsers(
    state,
    messages.map((message) => message.author),
  )
  const joined = withPage(state.timelines[page.channel_id], { ...page, messages })
  const timeline = isOutdated(state, page, joined)
    ? withGap(joined, joined.messages.at(-1)?.seq ?? 0)
    : joined
  const others = Object.entries(without(state.timelines, page.channel_id)).slice(1 - MAX_TIMELINES)
  return { ...known, timelines: { ...Object.fromEntries(others), [page.channel_id]: timeline } }
}

/** Returns true if messages arrived while the newest page was loading, before a timeline existed to hold them. */
function isOutdated(state: State, { at, asked_seq, channel_id }: Page, { messages }: Timeline): boolean {
  const last = lastSeqOf(state, channel_id)
  return at === 'latest' && last > asked_seq && (messages.at(-1)?.seq ?? 0) < last
}

/** Removes the tombstone of a message that arrives again, because it was moved away and back. */
function withoutTombstone(state: State, key: string): State {
  if (!state.tombstones.includes(key)) return state
  return { ...state, tombstones: state.tombstones.filter((other) => other !== key) }
}

function withoutMessages(
  state: State,
  channel: Pick<Message, 'room_id' | 'conversation_id' | 'space_id'>,
  gone: readonly DeletedMessage[],
): State {
  const channelId = channelOfEvent(channel)
  const ids = new Set(gone.map(({ id }) => id))
  const counted = withUncounted(state, channelId, gone, channel.space_id)
  const keys = gone.map(({ id }) => tombstoneOf(channelId, id))
  const tombstones = [...state.tombstones, ...keys].slice(-MAX_TOMBSTONES)
  return withTimeline({ ...counted, tombstones }, channelId, (timeline) =>
    withoutHeld(withoutReplies(timeline, gone), ids),
  )
}
