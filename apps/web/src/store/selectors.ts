import type { Member } from '@foyer/protocol/members'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { User } from '@foyer/protocol/users'
import { t } from '#src/language/texts.ts'
import { lastSeqOf } from './channels.ts'
import { isChannelMuted, type Mutes } from './notification-settings.ts'
import type { KnownMembers, SpaceEntry, State, Timeline } from './state.ts'

/** In the order in which they were joined. */
export function sortedSpaces(spaces: State['spaces']): SpaceEntry[] {
  return Object.values(spaces).sort(
    (a, b) => compare(a.member.joined_at, b.member.joined_at) || compare(a.id, b.id),
  )
}

/** In the order that the reader gave them, the others behind. */
export function orderedSpaces({ spaces, spaceOrder }: Pick<State, 'spaces' | 'spaceOrder'>): SpaceEntry[] {
  const places = new Map(spaceOrder.map((id, place) => [id, place]))
  const placeOf = ({ id }: SpaceEntry) => places.get(id) ?? places.size
  return sortedSpaces(spaces).sort((a, b) => placeOf(a) - placeOf(b))
}

/** A space's rooms under one heading; the first group has none. */
export interface RoomGroup {
  readonly category: Room | null
  readonly rooms: readonly Room[]
}

/** A space's rooms by category, each in order of position; groups without rooms are left out. */
export function roomGroups(rooms: State['rooms'], spaceId: string): RoomGroup[] {
  const ofSpace = Object.values(rooms)
    .filter((room) => room.space_id === spaceId)
    .sort((a, b) => a.position - b.position || compare(a.id, b.id))
  const categories = ofSpace.filter((room) => room.type === RoomType.Category)
  const ids = new Set(categories.map((category) => category.id))
  const others = ofSpace.filter((room) => room.type !== RoomType.Category)
  const loose = others.filter((room) => room.parent_id === null || !ids.has(room.parent_id))
  const grouped = categories.map((category) => ({
    category,
    rooms: others.filter((room) => room.parent_id === category.id),
  }))
  return [{ category: null, rooms: loose }, ...grouped].filter((group) => group.rooms.length > 0)
}

export function isUnread({ readStates }: Pick<State, 'readStates'>, channelId: string): boolean {
  return (readStates[channelId]?.unread_count ?? 0) > 0
}

export function mentionCount({ readStates }: Pick<State, 'readStates'>, channelId: string): number {
  return readStates[channelId]?.mention_count ?? 0
}

/** Whether something unread there is to catch the eye: not where it is muted. */
export function showsUnread(state: Pick<State, 'readStates'> & Mutes, channelId: string): boolean {
  return isUnread(state, channelId) && !isChannelMuted(state, channelId)
}

/** Whether what is said in a channel is seen on its page: in a voice room, once its chat is open. */
export function showsMessages(
  { rooms, openChats }: Pick<State, 'rooms' | 'openChats'>,
  channelId: string,
): boolean {
  return rooms[channelId]?.type !== RoomType.Voice || openChats[channelId] === true
}

export function isSpaceUnread(state: State, spaceId: string): boolean {
  return roomIdsOf(state, spaceId).some((id) => showsUnread(state, id))
}

/** The mentions in a space that are not muted. */
export function spaceMentionCount(state: State, spaceId: string): number {
  return roomIdsOf(state, spaceId).reduce((sum, id) => sum + callsIn(state, id), 0)
}

/** The mentions in a space that are muted: they are counted, and call for nobody. */
export function quietCount(state: State, spaceId: string): number {
  const ids = roomIdsOf(state, spaceId)
  return ids.reduce((sum, id) => sum + mentionCount(state, id) - callsIn(state, id), 0)
}

export function isAnyUnread(state: State): boolean {
  const { rooms, conversations } = state
  return Object.keys(state.readStates).some(
    (id) => (id in rooms || id in conversations) && showsUnread(state, id),
  )
}

/** What calls for the reader: mentions in rooms, and whatever is said in conversations, but for what is muted. */
export function callCount(state: State): number {
  return Object.keys(state.readStates).reduce((sum, id) => sum + callsIn(state, id), 0)
}

function callsIn(state: State, channelId: string): number {
  const { [channelId]: read } = state.readStates
  const isSaidToReader = channelId in state.conversations
  const count = isSaidToReader ? read?.unread_count : channelId in state.rooms ? read?.mention_count : 0
  return count === undefined || count === 0 || isChannelMuted(state, channelId) ? 0 : count
}

/** Only those that have something unread: most of what is asked of them is nothing. */
export function roomIdsOf({ rooms, readStates }: State, spaceId: string): string[] {
  return Object.keys(readStates).filter((id) => rooms[id]?.space_id === spaceId)
}

const emptyTimeline: Timeline = { messages: [], hasOlder: false, hasNewer: false, missedAfter: null }

/** What is known of a channel's messages: where nothing was ever said, that is all there is. Undefined for nothing yet. */
export function timelineOf(state: State, channelId: string): Timeline | undefined {
  return state.timelines[channelId] ?? (lastSeqOf(state, channelId) === 0 ? emptyTimeline : undefined)
}

/** The name to show for a user; `member` is what an answer said of them, for those who are not listed. */
export type NameLookup = (user: User, member?: Member | null) => string

/**
 * What people are called in a space: nickname, else display name, else username. Built once per change of
 * what it reads, because a list of messages asks it hundreds of times.
 */
export function nameLookup(
  users: State['users'],
  space: SpaceEntry | undefined,
  members: KnownMembers | undefined,
): NameLookup {
  return (user, member) => {
    const known = users[user.id] ?? user
    if (known.deleted_at !== null) return t('Deleted account')
    const own = space?.member.user_id === user.id ? space.member : undefined
    const { nickname = null } = own ?? members?.[user.id] ?? member ?? {}
    return nickname ?? known.alias ?? known.username
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
