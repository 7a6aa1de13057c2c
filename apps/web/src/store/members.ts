import type { Events } from '@foyer/protocol/events'
import type { Member, MemberWithUser } from '@foyer/protocol/members'
import type { Role } from '@foyer/protocol/roles'
import type { User } from '@foyer/protocol/users'
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

type Ranked = Omit<MemberWithUser, 'user'>

export const memberReducers = {
  SPACE_MEMBER_CREATE: (state: State, member: Events['SPACE_MEMBER_CREATE']): State => {
    const list = state.members[member.space_id]
    const known = withCount(withUsers(state, [member.user]), member)
    return list === undefined ? known : withList(known, member.space_id, inserted(list, member))
  },
  SPACE_MEMBER_UPDATE: (state: State, member: Events['SPACE_MEMBER_UPDATE']): State => {
    const space = state.spaces[member.space_id]
    if (space === undefined) return state
    const known = member.user_id === state.me?.id ? withOwnMember(state, space, member) : state
    const list = state.members[member.space_id]
    if (list === undefined) return known
    const ranked = { ...member, position: positionOf(member, space.roles) }
    return withList(known, member.space_id, updated(list, ranked, state.users[member.user_id]))
  },
  SPACE_MEMBER_DELETE: (state: State, gone: Events['SPACE_MEMBER_DELETE']): State => {
    const { space_id, user_id } = gone
    if (user_id === state.me?.id) return withoutSpace(state, space_id)
    const list = state.members[space_id]
    const known = withCount(state, gone)
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

/** The state once the space's roles have other positions: they say in which order its members stand. */
export function withPositions(state: State, spaceId: string): State {
  const list = state.members[spaceId]
  const roles = state.spaces[spaceId]?.roles
  if (list === undefined || roles === undefined) return state
  const entries = list.entries.map((entry) => ({ ...entry, position: positionOf(entry, roles) }))
  if (entries.every((entry, index) => entry.position === list.entries[index]?.position)) return state
  // Who is beyond the loaded pages may now belong into them.
  const stale = list.stale || !list.complete
  return withList(state, spaceId, { ...list, entries: entries.sort(byPosition), stale })
}

/** The state with a role taken from all members of the space. */
export function withoutRole(state: State, spaceId: string, roleId: string): State {
  const list = state.members[spaceId]
  if (list === undefined) return state
  const entries = list.entries.map((entry) =>
    entry.roles.includes(roleId) ? { ...entry, roles: entry.roles.filter((id) => id !== roleId) } : entry,
  )
  return withList(state, spaceId, { ...list, entries })
}

function withList(state: State, spaceId: string, list: MemberList): State {
  if (list === state.members[spaceId]) return state
  return { ...state, members: { ...state.members, [spaceId]: list } }
}

function withCount(state: State, change: { space_id: string; member_count: number }): State {
  const { space_id, member_count } = change
  const space = state.spaces[space_id]
  if (space === undefined) return state
  return { ...state, spaces: { ...state.spaces, [space_id]: { ...space, member_count } } }
}

function withOwnMember(state: State, space: SpaceEntry, member: Member): State {
  return { ...state, spaces: { ...state.spaces, [space.id]: { ...space, member } } }
}

/** Past the pages that were loaded, a newcomer comes with the next page. */
function inserted(list: MemberList, member: MemberWithUser): MemberList {
  const entries = list.entries.filter((entry) => entry.id !== member.id)
  if (isBeyond({ ...list, entries }, member)) return { ...list, entries }
  return { ...list, entries: [...entries, member].sort(byPosition) }
}

/** Who was beyond the loaded pages and now belongs into them is asked for, unless it is known who they are. */
function updated(list: MemberList, member: Ranked, known: User | undefined): MemberList {
  const user = list.entries.find((entry) => entry.id === member.id)?.user ?? known
  if (user !== undefined) return inserted(list, { ...member, user })
  return isBeyond(list, member) ? list : { ...list, stale: true }
}

function isBeyond({ entries, complete }: MemberList, member: Ranked): boolean {
  const last = entries.at(-1)
  return !complete && last !== undefined && byPosition(last, member) < 0
}

function positionOf({ roles: held }: Pick<Member, 'roles'>, roles: readonly Role[]): number {
  const positions = roles.filter((role) => held.includes(role.id)).map((role) => role.position)
  return Math.max(0, ...positions)
}

function removed(list: MemberList, userId: string): MemberList {
  return { ...list, entries: list.entries.filter((entry) => entry.id !== userId) }
}

function byPosition(a: Ranked, b: Ranked): number {
  return b.position - a.position || (a.id < b.id ? -1 : 1)
}
