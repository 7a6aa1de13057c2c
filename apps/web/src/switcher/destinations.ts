import { RoomType } from '@foyer/protocol/rooms'
import type { User } from '@foyer/protocol/users'
import { candidates } from '#src/conversations/candidates.ts'
import { conversationName, isGroup } from '#src/conversations/conversation-name.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import { directWith, othersIn, unreadCount } from '#src/store/conversations.ts'
import { isChannelMuted } from '#src/store/notification-settings.ts'
import { mentionCount } from '#src/store/selectors.ts'
import type { State } from '#src/store/state.ts'
import { personName } from '#src/store/users.ts'
import { nearness } from '#src/ui/fields/found.ts'

/** A page the quick switcher can open. */
export interface Destination {
  readonly kind: 'room' | 'conversation' | 'person' | 'space'
  readonly id: string
  readonly name: string
  /** Text next to the name: the space or the username. */
  readonly note: string
  /** Path of its page; null for a user without an open conversation. */
  readonly path: string | null
  /** Unread messages; 0 if muted. */
  readonly unread: number
  readonly mentions: number
}

/** Returns every destination in the store. */
export function destinations(state: State): Destination[] {
  return [...roomsOf(state), ...conversationsOf(state), ...peopleOf(state), ...spacesOf(state)]
}

const prefixes: Readonly<Record<string, readonly Destination['kind'][]>> = {
  '#': ['room'],
  '@': ['conversation', 'person'],
  '*': ['space'],
}

/** Maximum number of results shown. */
const MAX_FOUND = 20
/** Bonuses added to the score of the name, so that recent and unread destinations rank higher. */
const RECENT_BONUS = 12
const UNREAD_BONUS = 6
const MENTION_BONUS = 10

/**
 * Returns the destinations that match the query, best first. An empty query returns unread destinations, then recent
 * ones.
 * @param recent paths, the most recent first
 */
export function foundDestinations(
  all: readonly Destination[],
  typed: string,
  recent: readonly string[],
): Destination[] {
  const kinds = prefixes[typed.trim().charAt(0)]
  const query = kinds === undefined ? typed.trim() : typed.trim().slice(1).trim()
  const meant = kinds === undefined ? all : all.filter(({ kind }) => kinds.includes(kind))
  const listed =
    query === '' && kinds === undefined
      ? meant.filter((destination) => isOfInterest(destination, recent))
      : meant
  return listed
    .map((destination) => ({ destination, score: scoreOf(destination, query, recent) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.destination.name.localeCompare(b.destination.name))
    .slice(0, MAX_FOUND)
    .map(({ destination }) => destination)
}

function scoreOf(destination: Destination, query: string, recent: readonly string[]): number | null {
  const near = nearnessOf(destination, query)
  if (near === null) return null
  const index = destination.path === null ? -1 : recent.indexOf(destination.path)
  const recency = index === -1 ? 0 : RECENT_BONUS * (1 - index / recent.length)
  const calls = destination.mentions > 0 ? MENTION_BONUS : destination.unread > 0 ? UNREAD_BONUS : 0
  return near + recency + calls
}

/** Matches later words against the note: `gen hik` finds #general of the hikers. */
function nearnessOf({ name, note }: Destination, query: string): number | null {
  const near = nearness(query, name)
  if (near !== null) return near
  const [first = '', ...rest] = query.split(/\s+/)
  if (rest.length === 0) return noteNearness(note, query)
  const [byName, byNote] = [nearness(first, name), nearness(rest.join(' '), note)]
  return byName === null || byNote === null ? null : (byName + byNote) / 4
}

/** Matches usernames, which are in the note. */
function noteNearness(note: string, query: string): number | null {
  const near = note.startsWith('@') ? nearness(query.replace(/^@/, ''), note.slice(1)) : null
  return near === null ? null : near * 0.8
}

function isOfInterest({ kind, path, unread, mentions }: Destination, recent: readonly string[]): boolean {
  const calls = mentions > 0 || (unread > 0 && kind !== 'space')
  return calls || (path !== null && recent.includes(path))
}

/** Returns the counts of a channel, 0 if it is muted. */
function countsOf(state: State, channelId: string): Pick<Destination, 'unread' | 'mentions'> {
  if (isChannelMuted(state, channelId)) return { unread: 0, mentions: 0 }
  return { unread: unreadCount(state, channelId), mentions: mentionCount(state, channelId) }
}

function roomsOf(state: State): Destination[] {
  const rooms = Object.values(state.rooms).filter(({ type }) => type !== RoomType.Category)
  return rooms.map((room) => ({
    kind: 'room',
    id: room.id,
    name: roomName(room),
    note: state.spaces[room.space_id]?.name ?? '',
    path: `/spaces/${room.space_id}/rooms/${room.id}`,
    ...countsOf(state, room.id),
  }))
}

function conversationsOf(state: State): Destination[] {
  return Object.values(state.conversations).map((conversation) => {
    const others = othersIn(state, conversation)
    const [other] = others
    const { unread } = countsOf(state, conversation.id)
    return {
      kind: 'conversation',
      id: conversation.id,
      name: conversationName(conversation, others),
      note: isGroup(conversation) ? others.map(personName).join(', ') : `@${other?.username ?? ''}`,
      path: `/conversations/${conversation.id}`,
      // Every message in a conversation counts as a mention.
      unread,
      mentions: unread,
    }
  })
}

/** Returns the users without an open conversation. The others are found by their conversation. */
function peopleOf(state: State): Destination[] {
  const isFree = ({ id }: User) => directWith(state.conversations, id) === undefined
  return candidates(state, isFree).map(({ user }) => ({
    kind: 'person',
    id: user.id,
    name: personName(user),
    note: `@${user.username}`,
    path: null,
    unread: 0,
    mentions: 0,
  }))
}

function spacesOf(state: State): Destination[] {
  return Object.values(state.spaces).map(({ id, name }) => ({
    kind: 'space',
    id,
    name,
    note: '',
    path: `/spaces/${id}`,
    unread: 0,
    mentions: 0,
  }))
}
