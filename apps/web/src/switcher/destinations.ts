import { RoomType } from '@foyer/protocol/rooms'
import type { User } from '@foyer/protocol/users'
import { candidates } from '#src/conversations/candidates.ts'
import { conversationName, isGroup } from '#src/conversations/conversation-name.ts'
import { roomName } from '#src/rooms/room-name.ts'
import { directWith, othersIn, unreadCount } from '#src/store/conversations.ts'
import { isChannelMuted } from '#src/store/notification-settings.ts'
import { mentionCount } from '#src/store/selectors.ts'
import type { State } from '#src/store/state.ts'
import { personName } from '#src/store/users.ts'
import { nearness } from './found.ts'

/** Somewhere to go. */
export interface Destination {
  readonly kind: 'room' | 'conversation' | 'person' | 'space'
  readonly id: string
  readonly name: string
  /** Beside the name: the space, or the username. */
  readonly note: string
  /** Its page; null for a person with whom no conversation is open. */
  readonly path: string | null
  /** What calls for the reader there: nothing where it is muted. */
  readonly unread: number
  readonly mentions: number
}

/** Everywhere one can go, from what is known here. */
export function destinations(state: State): Destination[] {
  return [...roomsOf(state), ...conversationsOf(state), ...peopleOf(state), ...spacesOf(state)]
}

const prefixes: Readonly<Record<string, readonly Destination['kind'][]>> = {
  '#': ['room'],
  '@': ['conversation', 'person'],
  '*': ['space'],
}

/** More than anybody reads. */
const MAX_FOUND = 20
/** What somebody was at lately, or is called to, wins against a name that is as near. */
const RECENT_BONUS = 12
const UNREAD_BONUS = 6
const MENTION_BONUS = 10

/**
 * Those that are meant by what was typed, the nearest first. With nothing typed, what calls for the reader, then where they
 * were lately.
 * @param recent paths, the last first
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
    query === '' && kinds === undefined ? meant.filter((place) => isOfInterest(place, recent)) : meant
  return listed
    .map((place) => ({ place, score: scoreOf(place, query, recent) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.place.name.localeCompare(b.place.name))
    .slice(0, MAX_FOUND)
    .map(({ place }) => place)
}

function scoreOf(place: Destination, query: string, recent: readonly string[]): number | null {
  const near = nearnessOf(place, query)
  if (near === null) return null
  const index = place.path === null ? -1 : recent.indexOf(place.path)
  const recency = index === -1 ? 0 : RECENT_BONUS * (1 - index / recent.length)
  const calls = place.mentions > 0 ? MENTION_BONUS : place.unread > 0 ? UNREAD_BONUS : 0
  return near + recency + calls
}

/** Words of the note narrow the name down: `gen hik` is #general of the hikers. */
function nearnessOf({ name, note }: Destination, query: string): number | null {
  const near = nearness(query, name)
  if (near !== null) return near
  const [first = '', ...rest] = query.split(/\s+/)
  if (rest.length === 0) return noteNearness(note, query)
  const [byName, byNote] = [nearness(first, name), nearness(rest.join(' '), note)]
  return byName === null || byNote === null ? null : (byName + byNote) / 4
}

/** Somebody's username is a name too. */
function noteNearness(note: string, query: string): number | null {
  const near = note.startsWith('@') ? nearness(query.replace(/^@/, ''), note.slice(1)) : null
  return near === null ? null : near * 0.8
}

function isOfInterest({ kind, path, unread, mentions }: Destination, recent: readonly string[]): boolean {
  const calls = mentions > 0 || (unread > 0 && kind !== 'space')
  return calls || (path !== null && recent.includes(path))
}

/** What is muted calls for nobody. */
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
      // All that is said in a conversation is said to the reader.
      unread,
      mentions: unread,
    }
  })
}

/** Those with whom no conversation is open: of the others there is the conversation. */
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
