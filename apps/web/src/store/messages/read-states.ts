import type { Events, NewMessage } from '@foyer/protocol/events'
import { MAX_UNREAD_COUNT } from '@foyer/protocol/limits'
import type { DeletedMessage, Message, ReadState } from '@foyer/protocol/messages'
import { channelOfEvent, lastSeqOf, roomOf, tombstoneOf } from '../channels.ts'
import type { ReadEntry, State } from '../state.ts'

export const readStateReducers = {
  /** Acknowledgement from this or another client. It may also go back, to mark messages as unread. */
  MESSAGE_ACK: (state: State, read: Events['MESSAGE_ACK']): State => withAcknowledged(state, read),
}

/** Takes over a read state of the server, unless it is older than one that this client has sent. */
export function withAcknowledged(state: State, read: ReadState): State {
  const channelId = channelOfEvent(read)
  const known = state.readStates[channelId]
  const awaited = known?.awaited_seq ?? null
  if (awaited !== null && read.last_read_seq < awaited) return state
  const wentBack = known !== undefined && read.last_read_seq < known.acked_seq
  const isSame = known?.acked_seq === read.last_read_seq
  return withEntry(state, channelId, {
    ...entryOf(read, lastSeqOf(state, channelId)),
    kept_unread: wentBack || (isSame && known.kept_unread),
  })
}

/** Returns READY's read states, keyed by channel. */
export function readStatesOf(state: State, readStates: readonly ReadState[]): State['readStates'] {
  const entries = readStates.map((read): [string, ReadEntry] => {
    const channelId = channelOfEvent(read)
    return [channelId, entryOf(read, lastSeqOf(state, channelId))]
  })
  return Object.fromEntries(entries)
}

/** Counts a new message once. The user's own message marks all before it as read, unless it was moved here. */
export function withCounted(state: State, message: NewMessage): State {
  const channelId = channelOfEvent(message)
  const isOwn = message.author.id === state.me?.id || isKnownCall(state, message)
  if (isOwn && !message.is_moved) return withOwn(state, channelId, message.seq)
  const known = state.readStates[channelId] ?? nothingUnread(message, message.seq - 1)
  if (message.seq <= known.counted_seq || message.seq <= known.last_read_seq) return state
  // An earlier response may have counted the message already. The count never exceeds the messages after the last read one.
  const most = Math.min(MAX_UNREAD_COUNT, message.seq - known.last_read_seq)
  const added = isCountedAuthor(state, message.author.id) ? 1 : 0
  const mentions = isMention(state, mentionsOf(message)) ? added : 0
  return withEntry(state, channelId, {
    ...known,
    counted_seq: message.seq,
    unread_count: Math.min(most, known.unread_count + added),
    mention_count: Math.min(most, known.mention_count + mentions),
  })
}

/** A call that the user took part in is read if nothing else is unread, as on the server. */
function isKnownCall(state: State, message: Message): boolean {
  const isPart = message.call?.participant_ids.includes(state.me?.id ?? '') === true
  return isPart && (state.readStates[channelOfEvent(message)]?.unread_count ?? 0) === 0
}

/** Subtracts deleted messages from the counts, except those already subtracted. */
export function withUncounted(
  state: State,
  channelId: string,
  deleted: readonly DeletedMessage[],
  spaceId: string | null,
): State {
  const known = state.readStates[channelId]
  if (known === undefined) return state
  const unread = deleted.filter(
    ({ id, seq, author_id }) =>
      seq > known.last_read_seq &&
      isCountedAuthor(state, author_id) &&
      !state.tombstones.includes(tombstoneOf(channelId, id)),
  )
  if (unread.length === 0) return state
  const mentions = unread.filter((message) => isMention(state, { ...message, space_id: spaceId }))
  return withEntry(state, channelId, {
    ...known,
    unread_count: Math.max(0, known.unread_count - unread.length),
    mention_count: Math.max(0, known.mention_count - mentions.length),
  })
}

/** Updates the mention count after an edit of an unread message. */
export function withMentionsEdited(state: State, before: Message | undefined, after: Message): State {
  const channelId = channelOfEvent(after)
  const known = state.readStates[channelId]
  if (before === undefined || known === undefined || after.seq <= known.last_read_seq) return state
  if (!isCountedAuthor(state, after.author.id)) return state
  const [was, is] = [before, after].map((message) => isMention(state, mentionsOf(message)))
  if (was === is) return state
  const mention_count = Math.max(0, known.mention_count + (is ? 1 : -1))
  return withEntry(state, channelId, { ...known, mention_count })
}

/** Marks a channel as read before the server has confirmed it. */
export function withRead(state: State, { channel_id, seq }: { channel_id: string; seq: number }): State {
  const known = state.readStates[channel_id] ?? nothingUnread(channelRefOf(state, channel_id), seq)
  return withEntry(state, channel_id, {
    ...known,
    ...nothing,
    last_read_seq: Math.max(known.last_read_seq, seq),
    counted_seq: Math.max(known.counted_seq, seq),
    awaited_seq: seq,
    acked_seq: seq,
    kept_unread: false,
  })
}

/** Ends the wait for the confirmation of the server. */
export function withReadSettled(
  state: State,
  { channel_id, seq }: { channel_id: string; seq: number },
): State {
  const known = state.readStates[channel_id]
  if (known === undefined || known.awaited_seq !== seq) return state
  return withEntry(state, channel_id, { ...known, awaited_seq: null })
}

/** Allows marking visible messages as read again, after the user has entered the channel or asked for it. */
export function withReading(state: State, { channel_id }: { channel_id: string }): State {
  const known = state.readStates[channel_id]
  if (known?.kept_unread !== true) return state
  return withEntry(state, channel_id, { ...known, kept_unread: false })
}

/**
 * Remembers the last message of a room that the user is losing access to. Messages sent until access is regained are
 * counted as unread then.
 */
export function withLastSeqRemembered(state: State, channelId: string): State {
  if (channelId in state.readStates || !(channelId in state.rooms)) return state
  return withEntry(
    state,
    channelId,
    nothingUnread(channelRefOf(state, channelId), lastSeqOf(state, channelId)),
  )
}

/**
 * Counts the messages sent while the user had no access to a room, because there are no events for them. A room without
 * a read state has nothing unread.
 */
export function withUnseenCounted(state: State, channelId: string): State {
  const known = state.readStates[channelId]
  const last = lastSeqOf(state, channelId)
  if (known === undefined || last <= known.counted_seq) return state
  const unread_count = Math.min(MAX_UNREAD_COUNT, known.unread_count + last - known.counted_seq)
  return withEntry(state, channelId, { ...known, unread_count, counted_seq: last })
}

/** Messages of the user and of blocked users are not counted. */
function isCountedAuthor(state: State, authorId: string): boolean {
  return authorId !== state.me?.id && !(authorId in state.blocks)
}

interface Mentions {
  readonly space_id: string | null
  readonly mentions: readonly string[]
  readonly mention_roles: readonly string[]
  readonly mention_everyone: boolean
}

/** Returns true if a message mentions the user, one of their roles, or everyone. */
function isMention(state: State, { space_id, mentions, mention_roles, mention_everyone }: Mentions): boolean {
  if (mention_everyone || mentions.includes(state.me?.id ?? '')) return true
  const own = state.spaces[space_id ?? '']?.member.roles ?? []
  return mention_roles.some((id) => own.includes(id))
}

function mentionsOf({ space_id, mentions, mention_roles, mention_everyone }: Message): Mentions {
  return { space_id, mentions: mentions.map(({ id }) => id), mention_roles, mention_everyone }
}

/** Returns true if a message of another user mentions the user. */
export function mentionsMe(state: State, message: Message): boolean {
  return message.author.id !== state.me?.id && isMention(state, mentionsOf(message))
}

const nothing = { unread_count: 0, mention_count: 0 }

function withOwn(state: State, channelId: string, seq: number): State {
  const known = state.readStates[channelId]
  if (known === undefined || known.last_read_seq >= seq) return state
  const counted_seq = Math.max(known.counted_seq, seq)
  return withEntry(state, channelId, {
    ...known,
    ...nothing,
    last_read_seq: seq,
    counted_seq,
    kept_unread: false,
  })
}

function entryOf(read: ReadState, lastSeq: number): ReadEntry {
  const counted_seq = Math.max(lastSeq, read.last_read_seq)
  return { ...read, counted_seq, awaited_seq: null, acked_seq: read.last_read_seq, kept_unread: false }
}

type ChannelRef = Pick<ReadState, 'room_id' | 'conversation_id'>

function nothingUnread({ room_id, conversation_id }: ChannelRef, seq: number): ReadEntry {
  const read = { room_id, conversation_id, last_read_seq: seq, ...nothing }
  return { ...read, counted_seq: seq, awaited_seq: null, acked_seq: seq, kept_unread: false }
}

function channelRefOf(state: State, channelId: string): ChannelRef {
  const isRoom = roomOf(state, channelId) !== undefined
  return { room_id: isRoom ? channelId : null, conversation_id: isRoom ? null : channelId }
}

function withEntry(state: State, channelId: string, entry: ReadEntry): State {
  return { ...state, readStates: { ...state.readStates, [channelId]: entry } }
}
