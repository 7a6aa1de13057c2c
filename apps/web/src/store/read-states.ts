import type { Events } from '@foyer/protocol/events'
import { MAX_UNREAD_COUNT } from '@foyer/protocol/limits'
import type { DeletedMessage, Message, ReadState } from '@foyer/protocol/messages'
import { channelOfEvent, lastSeqOf } from './channels.ts'
import type { ReadEntry, State } from './state.ts'

export const readStateReducers = {
  /** The server's word, from this browser or another: it may also go back. */
  MESSAGE_ACK: (state: State, read: Events['MESSAGE_ACK']): State => {
    const channelId = channelOfEvent(read)
    const known = state.readStates[channelId]
    const awaited = known?.awaited_seq ?? null
    if (awaited !== null && read.last_read_seq < awaited) return state
    const wentBack = known !== undefined && read.last_read_seq < known.acked_seq
    const isSame = known?.acked_seq === read.last_read_seq
    return withEntry(state, channelId, {
      ...told(read, lastSeqOf(state, channelId)),
      kept_unread: wentBack || (isSame && known.kept_unread),
    })
  },
}

/** The read states that READY tells, by channel. */
export function readStatesOf(state: State, readStates: readonly ReadState[]): State['readStates'] {
  const entries = readStates.map((read): [string, ReadEntry] => {
    const channelId = channelOfEvent(read)
    return [channelId, told(read, lastSeqOf(state, channelId))]
  })
  return Object.fromEntries(entries)
}

/** The state with a message of the present counted, once. What one writes oneself says that what is above is read. */
export function withCounted(state: State, message: Message): State {
  const channelId = channelOfEvent(message)
  const isOwn = message.author.id === state.me?.id || isKnownCall(state, message)
  if (isOwn) return withOwn(state, channelId, message.seq)
  const known = state.readStates[channelId] ?? nothingUnread(message, message.seq - 1)
  if (message.seq <= known.counted_seq || message.seq <= known.last_read_seq) return state
  // The server may have counted it already, in an answer that came before it: there are no more than fit between.
  const most = Math.min(MAX_UNREAD_COUNT, message.seq - known.last_read_seq)
  const said = isHeard(state, message.author.id) ? 1 : 0
  const mentions = isMention(state, mentionsOf(message)) ? said : 0
  return withEntry(state, channelId, {
    ...known,
    counted_seq: message.seq,
    unread_count: Math.min(most, known.unread_count + said),
    mention_count: Math.min(most, known.mention_count + mentions),
  })
}

/** Of a call that the reader was part of there is nothing to read, where nothing else is unread: so counts the server. */
function isKnownCall(state: State, message: Message): boolean {
  const isPart = message.call?.participant_ids.includes(state.me?.id ?? '') === true
  return isPart && (state.readStates[channelOfEvent(message)]?.unread_count ?? 0) === 0
}

/** The state without deleted messages in the counts. Those that are remembered as deleted were taken off already. */
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
      seq > known.last_read_seq && isHeard(state, author_id) && !state.tombstones.includes(id),
  )
  if (unread.length === 0) return state
  const mentions = unread.filter((message) => isMention(state, { ...message, space_id: spaceId }))
  return withEntry(state, channelId, {
    ...known,
    unread_count: Math.max(0, known.unread_count - unread.length),
    mention_count: Math.max(0, known.mention_count - mentions.length),
  })
}

/** The state once an edit made an unread message a mention of the reader, or took that away. */
export function withMentionsEdited(state: State, before: Message | undefined, after: Message): State {
  const channelId = channelOfEvent(after)
  const known = state.readStates[channelId]
  if (before === undefined || known === undefined || after.seq <= known.last_read_seq) return state
  if (!isHeard(state, after.author.id)) return state
  const [was, is] = [before, after].map((message) => isMention(state, mentionsOf(message)))
  if (was === is) return state
  const mention_count = Math.max(0, known.mention_count + (is ? 1 : -1))
  return withEntry(state, channelId, { ...known, mention_count })
}

/** The state with a channel read here as far as it goes, before the server knows. */
export function withRead(state: State, { channel_id, seq }: { channel_id: string; seq: number }): State {
  const known = state.readStates[channel_id] ?? nothingUnread(placeOf(state, channel_id), seq)
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

/** The state once the server has answered, or nobody waits for its answer any more. */
export function withReadSettled(
  state: State,
  { channel_id, seq }: { channel_id: string; seq: number },
): State {
  const known = state.readStates[channel_id]
  if (known === undefined || known.awaited_seq !== seq) return state
  return withEntry(state, channel_id, { ...known, awaited_seq: null })
}

/** The state once the reader came to the channel anew, or wants to be done with it: what is in view is read again. */
export function withReading(state: State, { channel_id }: { channel_id: string }): State {
  const known = state.readStates[channel_id]
  if (known?.kept_unread !== true) return state
  return withEntry(state, channel_id, { ...known, kept_unread: false })
}

/**
 * The state that remembers how far a room went before it is out of sight, also where nothing of it was ever read: what is said
 * until one sees it again counts then.
 */
export function withKnownEnd(state: State, channelId: string): State {
  if (channelId in state.readStates || !(channelId in state.rooms)) return state
  return withEntry(state, channelId, nothingUnread(placeOf(state, channelId), lastSeqOf(state, channelId)))
}

/**
 * The state once a room is in sight again: what was said there meanwhile is not told one by one. Of a room that was never read
 * nothing counts.
 */
export function withMissedCounted(state: State, channelId: string): State {
  const known = state.readStates[channelId]
  const last = lastSeqOf(state, channelId)
  if (known === undefined || last <= known.counted_seq) return state
  const unread_count = Math.min(MAX_UNREAD_COUNT, known.unread_count + last - known.counted_seq)
  return withEntry(state, channelId, { ...known, unread_count, counted_seq: last })
}

/** Whether what they say counts: neither one's own does, nor that of whom one blocks. */
function isHeard(state: State, authorId: string): boolean {
  return authorId !== state.me?.id && !(authorId in state.blocks)
}

interface Mentions {
  readonly space_id: string | null
  readonly mentions: readonly string[]
  readonly mention_roles: readonly string[]
  readonly mention_everyone: boolean
}

/** Whether it names the reader, a role of theirs, or everyone. */
function isMention(state: State, { space_id, mentions, mention_roles, mention_everyone }: Mentions): boolean {
  if (mention_everyone || mentions.includes(state.me?.id ?? '')) return true
  const own = state.spaces[space_id ?? '']?.member.roles ?? []
  return mention_roles.some((id) => own.includes(id))
}

function mentionsOf({ space_id, mentions, mention_roles, mention_everyone }: Message): Mentions {
  return { space_id, mentions: mentions.map(({ id }) => id), mention_roles, mention_everyone }
}

/** Whether a message names the reader, and is not their own. */
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

function told(read: ReadState, lastSeq: number): ReadEntry {
  const counted_seq = Math.max(lastSeq, read.last_read_seq)
  return { ...read, counted_seq, awaited_seq: null, acked_seq: read.last_read_seq, kept_unread: false }
}

type Place = Pick<ReadState, 'room_id' | 'conversation_id'>

function nothingUnread({ room_id, conversation_id }: Place, seq: number): ReadEntry {
  const read = { room_id, conversation_id, last_read_seq: seq, ...nothing }
  return { ...read, counted_seq: seq, awaited_seq: null, acked_seq: seq, kept_unread: false }
}

function placeOf({ rooms }: State, channelId: string): Place {
  const isRoom = channelId in rooms
  return { room_id: isRoom ? channelId : null, conversation_id: isRoom ? null : channelId }
}

function withEntry(state: State, channelId: string, entry: ReadEntry): State {
  return { ...state, readStates: { ...state.readStates, [channelId]: entry } }
}
