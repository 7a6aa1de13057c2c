import type { Member } from '@foyer/protocol/members'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { User } from '@foyer/protocol/users'
import { t } from '#src/language/texts.ts'
import { isKnownChannel, lastSeqOf, roomOf } from './channels.ts'
import { isChannelMuted, type Mutes } from './notification-settings.ts'
import type { KnownMembers, SpaceEntry, State, Timeline } from './state.ts'

/** Returns the spaces in the order in which the user joined them. */
export function sortedSpaces(spaces: State['spaces']): SpaceEntry[] {
  return Object.values(spaces).sort(
    (a, b) => compare(a.member.joined_at, b.member.joined_at) || compare(a.id, b.id),
  )
}

/** Returns the spaces in the user's order, followed by the others. */
export function orderedSpaces({ spaces, spaceOrder }: Pick<State, 'spaces' | 'spaceOrder'>): SpaceEntry[] {
  const indexes = new Map(spaceOrder.map((id, index) => [id, index]))
  const indexOf = ({ id }: SpaceEntry) => indexes.get(id) ?? indexes.size
  return sortedSpaces(spaces).sort((a, b) => indexOf(a) - indexOf(b))
}

/** Rooms of one category; null for rooms without a category. */
export interface RoomGroup {
  readonly category: Room | null
  readonly rooms: readonly Room[]
}

/** Returns a space's rooms by category, in order of position, without empty groups. */
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

/** Returns true if a channel is unread and not muted. */
export function showsUnread(state: Pick<State, 'readStates'> & Mutes, channelId: string): boolean {
  return isUnread(state, channelId) && !isChannelMuted(state, channelId)
}

/** Returns true if a channel's page shows its messages. A voice room does only while its chat is open. */
export function showsMessages(
  { rooms, openChats }: Pick<State, 'rooms' | 'openChats'>,
  channelId: string,
): boolean {
  return rooms[channelId]?.type !== RoomType.Voice || openChats[channelId] === true
}

export function isSpaceUnread(state: State, spaceId: string): boolean {
  return roomIdsOf(state, spaceId).some((id) => showsUnread(state, id))
}

/** Counts the mentions in unmuted rooms of a space. */
export function spaceMentionCount(state: State, spaceId: string): number {
  return roomIdsOf(state, spaceId).reduce((sum, id) => sum + notifyingIn(state, id), 0)
}

/** Counts the mentions in muted rooms of a space. */
export function mutedMentionCount(state: State, spaceId: string): number {
  const ids = roomIdsOf(state, spaceId)
  return ids.reduce((sum, id) => sum + mentionCount(state, id) - notifyingIn(state, id), 0)
}

export function isAnyUnread(state: State): boolean {
  return Object.keys(state.readStates).some((id) => isKnownChannel(state, id) && showsUnread(state, id))
}

/** Counts mentions in rooms and unread messages in conversations, unless muted. */
export function notifyingCount(state: State): number {
  return Object.keys(state.readStates).reduce((sum, id) => sum + notifyingIn(state, id), 0)
}

function notifyingIn(state: State, channelId: string): number {
  const { [channelId]: read } = state.readStates
  const isRoom = roomOf(state, channelId) !== undefined
  const count = isRoom ? read?.mention_count : channelId in state.conversations ? read?.unread_count : 0
  return count === undefined || count === 0 || isChannelMuted(state, channelId) ? 0 : count
}

/** Returns the rooms and threads of a space that have a read state. All others have nothing unread. */
export function roomIdsOf(state: State, spaceId: string): string[] {
  return Object.keys(state.readStates).filter((id) => roomOf(state, id)?.space_id === spaceId)
}

const emptyTimeline: Timeline = { messages: [], hasOlder: false, hasNewer: false, missedAfter: null }

/** Returns the loaded messages of a channel, or undefined. An empty channel needs no loading. */
export function timelineOf(state: State, channelId: string): Timeline | undefined {
  return state.timelines[channelId] ?? (lastSeqOf(state, channelId) === 0 ? emptyTimeline : undefined)
}

/** Returns the display name of a user. `member` comes from a response, for members that are not loaded. */
export type NameLookup = (user: User, member?: Member | null) => string

/**
 * Returns a lookup of display names in a space: nickname, else display name, else username. Create it once per change
 * of its arguments, because a list of messages calls it hundreds of times.
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
