import type { CapabilityName } from '@foyer/protocol/capabilities'
import { isBelow, outranks, type RankedSubject } from '@foyer/protocol/hierarchy'
import type { Member } from '@foyer/protocol/members'
import {
  has,
  noRights as noFlags,
  Permission,
  type PermissionName,
  type RightFlags,
  roomRights,
  spaceRights,
} from '@foyer/protocol/permissions'
import { holds } from '@foyer/protocol/rights'
import type { Role } from '@foyer/protocol/roles'
import { ownerRoomOf, roomOf } from '#src/store/channels.ts'
import type { SpaceEntry, State } from '#src/store/state.ts'
import { timeoutEnd } from './timeout.ts'

/** A bit of `Permission`, or the name of a capability. */
export type NeededRight = (typeof Permission)[PermissionName] | CapabilityName

/** Rights of a user in a space or one of its rooms, by the server's rules. */
export interface Rights {
  readonly flags: RightFlags
  /** True for the owner and for administrators. */
  readonly isAdministrator: boolean
  readonly isOwner: boolean
  may(needed: NeededRight): boolean
  /** Returns true if the role is below the user's highest role, so that the user may edit, move, delete or assign it. */
  isAbove(role: Pick<Role, 'position'>): boolean
  /** Returns true if the rank of the user allows them to rename, kick or ban the member. */
  outranks(member: Pick<Member, 'user_id' | 'roles'>): boolean
}

/** A member as the permission rules need it: with all their roles, including @everyone. */
export function subjectOf(
  space: Pick<SpaceEntry, 'id' | 'owner_id' | 'roles'> & Partial<Pick<SpaceEntry, 'frozen_at'>>,
  member: Pick<Member, 'user_id' | 'roles'> & Partial<Pick<Member, 'timeout_until'>>,
): RankedSubject {
  const roles = space.roles.filter((role) => role.id === space.id || member.roles.includes(role.id))
  const [isTimedOut, isFrozen] = [timeoutEnd(member) !== null, (space.frozen_at ?? null) !== null]
  return { userId: member.user_id, ownerId: space.owner_id, spaceId: space.id, roles, isTimedOut, isFrozen }
}

/** Rights of the signed-in user in the space, before room overwrites. */
export function rightsInSpace(space: SpaceEntry | undefined): Rights {
  if (space === undefined) return noRights
  return rightsOf(space, spaceRights(subjectOf(space, space.member)))
}

/** Rights of the signed-in user in one room of the space. */
export function rightsInRoom(space: SpaceEntry | undefined, roomId: string): Rights {
  if (space === undefined) return noRights
  return rightsOf(space, roomRights(subjectOf(space, space.member), overwritesOf(space, roomId)))
}

/** True if a member without any role but @everyone may view the room. */
export function mayEveryoneView(space: SpaceEntry, roomId: string): boolean {
  const flags = roomRights(subjectOf(space, { user_id: '', roles: [] }), overwritesOf(space, roomId))
  return holds(flags, Permission.ViewChannels)
}

export function overwritesOf(space: SpaceEntry, roomId: string): SpaceEntry['overwrites'] {
  return space.overwrites.filter((overwrite) => overwrite.room_id === roomId)
}

export function mayInSpace(state: State, spaceId: string, needed: NeededRight): boolean {
  return rightsInSpace(state.spaces[spaceId]).may(needed)
}

export function mayInRoom(state: State, roomId: string, needed: NeededRight): boolean {
  const room = roomOf(state, roomId)
  return rightsInRoom(state.spaces[room?.space_id ?? ''], ownerRoomOf(state, roomId)).may(needed)
}

/** The roles of the space, highest first; @everyone is last. */
export function rolesFromTop(space: Pick<SpaceEntry, 'roles'>): Role[] {
  return space.roles.toSorted((a, b) => b.position - a.position || (a.id < b.id ? -1 : 1))
}

const noRights: Rights = {
  flags: noFlags,
  isAdministrator: false,
  isOwner: false,
  may: () => false,
  isAbove: () => false,
  outranks: () => false,
}

function rightsOf(space: SpaceEntry, flags: RightFlags): Rights {
  const subject = subjectOf(space, space.member)
  return {
    flags,
    isAdministrator: has(spaceRights(subject).permissions, Permission.Administrator),
    isOwner: subject.userId === subject.ownerId,
    may: (needed) => holds(flags, needed),
    isAbove: (role) => isBelow(subject, role.position),
    outranks: (member) => outranks(subject, subjectOf(space, member)),
  }
}
