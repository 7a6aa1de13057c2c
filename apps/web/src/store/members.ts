import type { Events } from '@foyer/protocol/events'
import type { Member, MemberWithUser } from '@foyer/protocol/members'
import { withoutSpace } from './spaces.ts'
import type { MemberList, SpaceEntry, State } from './state.ts'
import { withUsers } from './users.ts'

export interface MemberPage {
  readonly space_id: string
  readonly members: readonly MemberWithUser[]
  /** The first page replaces what was held. */
  readonly first: boolean
  readonly complete: boolean
}

export const memberReducers = {
  SPACE_MEMBER_CREATE: (state: State, member: Events['SPACE_MEMBER_CREATE']): State => {
    const list = state.members[member.space_id]
    const known = withCount(
      withUsers(state, [member.user]),
      member.space_id,
      isListed(list, member.id) ? 0 : 1,
    )
    return list === undefined ? known : withList(known, member.space_id, inserted(list, member))
  },
  SPACE_MEMBER_UPDATE: (state: State, member: Events['SPACE_MEMBER_UPDATE']): State => {
    const space = state.spaces[member.space_id]
    if (space === undefined) return state
    const known = member.user_id === state.me?.id ? withOwnMember(state, space, member) : state
    const list = state.members[member.space_id]
    return list === undefined ? known : withList(known, member.space_id, updated(list, member, space))
  },
  SPACE_MEMBER_DELETE: (state: State, { space_id, user_id }: Events['SPACE_MEMBER_DELETE']): State => {
    if (user_id === state.me?.id) return withoutSpace(state, space_id)
    const list = state.members[space_id]
    const known = withCount(state, space_id, -1)
    return list === undefined ? known : withList(known, space_id, removed(list, user_id))
  },
}

/** The state with a page of a space's members. */
export function withMemberPage(state: State, page: MemberPage): State {
  const known = withUsers(
    state,
    page.members.map((member) => member.user),
  )
  const list = state.members[page.space_id]
  const held = page.first ? [] : (list?.entries ?? [])
  const fresh = page.members.filter((member) => !held.some((other) => other.id === member.id))
  const entries = [...held, ...fresh].sort(byPosition)
  return withList(known, page.space_id, {
    entries,
    complete: page.complete,
    stale: !page.first && (list?.stale ?? false),
  })
}

function withList(state: State, spaceId: string, list: MemberList): State {
  return { ...state, members: { ...state.members, [spaceId]: list } }
}

function withCount(state: State, spaceId: string, change: number): State {
  const space = state.spaces[spaceId]
  if (space === undefined || change === 0) return state
  const counted = { ...space, member_count: Math.max(0, space.member_count + change) }
  return { ...state, spaces: { ...state.spaces, [spaceId]: counted } }
}

function withOwnMember(state: State, space: SpaceEntry, member: Member): State {
  return { ...state, spaces: { ...state.spaces, [space.id]: { ...space, member } } }
}

function isListed(list: MemberList | undefined, id: string): boolean {
  return list?.entries.some((entry) => entry.id === id) ?? false
}

/** Past the pages that were loaded, a newcomer comes with the next page. */
function inserted(list: MemberList, member: MemberWithUser): MemberList {
  const entries = list.entries.filter((entry) => entry.id !== member.id)
  const last = entries.at(-1)
  if (!list.complete && last !== undefined && byPosition(last, member) < 0) return list
  return { ...list, entries: [...entries, member].sort(byPosition) }
}

function updated(list: MemberList, member: Member, space: SpaceEntry): MemberList {
  const positions = space.roles.filter((role) => member.roles.includes(role.id)).map((role) => role.position)
  const position = Math.max(0, ...positions)
  const entries = list.entries.map((entry) =>
    entry.id === member.id ? { ...entry, ...member, position } : entry,
  )
  return { ...list, entries: entries.sort(byPosition) }
}

function removed(list: MemberList, userId: string): MemberList {
  return { ...list, entries: list.entries.filter((entry) => entry.id !== userId) }
}

function byPosition(a: MemberWithUser, b: MemberWithUser): number {
  return b.position - a.position || (a.id < b.id ? -1 : 1)
}
