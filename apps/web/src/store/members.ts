import type { Events } from '@foyer/protocol/events'
import type { Member, MemberWithUser } from '@foyer/protocol/members'
import type { Role } from '@foyer/protocol/roles'
import { withoutSpace } from './spaces.ts'
import { type KnownMembers, MAX_KNOWN_MEMBERS, type SpaceEntry, type State, without } from './state.ts'
import { withUsers } from './users.ts'

/** Members from a response or an event. */
export interface LoadedMembers {
  readonly space_id: string
  readonly members: readonly MemberWithUser[]
}

export const memberReducers = {
  SPACE_MEMBER_CREATE: (state: State, member: Events['SPACE_MEMBER_CREATE']): State =>
    withMembers(withCount(state, member), { space_id: member.space_id, members: [member] }),
  SPACE_MEMBER_UPDATE: (state: State, member: Events['SPACE_MEMBER_UPDATE']): State => {
    const space = state.spaces[member.space_id]
    if (space === undefined) return state
    const own = member.user_id === state.me?.id ? withOwnMember(state, space, member) : state
    const user = state.members[space.id]?.[member.user_id]?.user ?? state.users[member.user_id]
    if (user === undefined) return own
    const position = positionOf(member, space.roles)
    return withMembers(own, { space_id: space.id, members: [{ ...member, user, position }] })
  },
  SPACE_MEMBER_DELETE: (state: State, gone: Events['SPACE_MEMBER_DELETE']): State => {
    const { space_id, user_id } = gone
    if (user_id === state.me?.id) return withoutSpace(state, space_id)
    const counted = withCount(state, gone)
    const known = counted.members[space_id]
    return known === undefined ? counted : withKnown(counted, space_id, without(known, user_id))
  },
  /** Members that the client requested individually. Unlike members of a list, they are also added as users. */
  SPACE_MEMBERS_CHUNK: (state: State, chunk: Events['SPACE_MEMBERS_CHUNK']): State => {
    const users = chunk.members.map(({ user }) => user)
    return withMembers(withUsers(state, users), chunk)
  },
  SPACE_MEMBER_LIST_UPDATE: (state: State, update: Events['SPACE_MEMBER_LIST_UPDATE']): State =>
    withMembers(state, update),
}

/** Adds or updates members. Returns the same state if nothing changed. */
export function withMembers(state: State, { space_id, members }: LoadedMembers): State {
  if (!(space_id in state.spaces)) return state
  const known = state.members[space_id] ?? {}
  const fresh = new Map(
    members
      .filter((member) => !isSame(known[member.user_id], member))
      .map((member) => [member.user_id, member]),
  )
  if (fresh.size === 0) return state
  const kept = Object.entries(known).filter(([userId]) => !fresh.has(userId))
  return withKnown(state, space_id, Object.fromEntries([...kept, ...fresh].slice(-MAX_KNOWN_MEMBERS)))
}

/** Removes a role from all members of the space. */
export function withoutRole(state: State, spaceId: string, roleId: string): State {
  const members = Object.values(state.members[spaceId] ?? {})
    .filter(({ roles }) => roles.includes(roleId))
    .map((member) => ({ ...member, roles: member.roles.filter((id) => id !== roleId) }))
  return withMembers(state, { space_id: spaceId, members })
}

/** Returns the position of the member's highest role, by which lists are sorted. */
export function positionOf({ roles: held }: Pick<Member, 'roles'>, roles: readonly Role[]): number {
  const positions = roles.filter((role) => held.includes(role.id)).map((role) => role.position)
  return Math.max(0, ...positions)
}

function withKnown(state: State, spaceId: string, known: KnownMembers): State {
  if (known === state.members[spaceId]) return state
  return { ...state, members: { ...state.members, [spaceId]: known } }
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

/** An unchanged member must not change the state, because each change rerenders all names. */
function isSame(known: MemberWithUser | undefined, member: MemberWithUser): boolean {
  return (
    known !== undefined &&
    known.nickname === member.nickname &&
    known.joined_at === member.joined_at &&
    known.timeout_until === member.timeout_until &&
    known.user.updated_at === member.user.updated_at &&
    known.roles.join() === member.roles.join()
  )
}
