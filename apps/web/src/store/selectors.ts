import type { Member } from '@foyer/protocol/members'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { User } from '@foyer/protocol/users'
import { lastSeqOf } from './channels.ts'
import type { MemberList, SpaceEntry, State, Timeline } from './state.ts'

/** In the order in which they were joined. */
export function sortedSpaces(spaces: State['spaces']): SpaceEntry[] {
  return Object.values(spaces).sort(
    (a, b) => compare(a.member.joined_at, b.member.joined_at) || compare(a.id, b.id),
  )
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

export function isUnread(state: State, channelId: string): boolean {
  return (state.readStates[channelId]?.unread_count ?? 0) > 0
}

export function mentionCount(state: State, channelId: string): number {
  return state.readStates[channelId]?.mention_count ?? 0
}

export function isSpaceUnread(state: State, spaceId: string): boolean {
  return roomIdsOf(state, spaceId).some((id) => isUnread(state, id))
}

export function spaceMentionCount(state: State, spaceId: string): number {
  return roomIdsOf(state, spaceId).reduce((sum, id) => sum + mentionCount(state, id), 0)
}

export function isAnyUnread(state: State): boolean {
  const { rooms, conversations } = state
  return Object.keys(state.readStates).some(
    (id) => (id in rooms || id in conversations) && isUnread(state, id),
  )
}

/** What calls for the reader: mentions in rooms, and whatever is said in conversations. */
export function callCount(state: State): number {
  const mentions = Object.keys(state.rooms).reduce((sum, id) => sum + mentionCount(state, id), 0)
  const said = Object.keys(state.conversations).map((id) => state.readStates[id]?.unread_count ?? 0)
  return said.reduce((sum, count) => sum + count, mentions)
}

/** Only those that have something unread: most of what is asked of them is nothing. */
function roomIdsOf({ rooms, readStates }: State, spaceId: string): string[] {
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
  list: MemberList | undefined,
): NameLookup {
  const nicknames = new Map(list?.entries.map((entry) => [entry.id, entry.nickname]))
  if (space !== undefined) nicknames.set(space.member.user_id, space.member.nickname)
  return (user, member) => {
    const known = users[user.id] ?? user
    if (known.deleted_at !== null) return 'Deleted account'
    const nickname = nicknames.has(user.id) ? nicknames.get(user.id) : member?.nickname
    return nickname ?? known.alias ?? known.username
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
