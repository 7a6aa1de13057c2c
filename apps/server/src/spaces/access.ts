import type { Member } from '@foyer/protocol/members'
import { has, Permission, type RightFlags } from '@foyer/protocol/permissions'
import { hasModeration, holds, type Needed, withoutModeration } from '@foyer/protocol/rights'
import type { Room } from '@foyer/protocol/rooms'
import type { Space } from '@foyer/protocol/spaces'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { lacksSecondFactor } from '#src/kernel/secrets/second-factor-rule.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { keepSpace, lockSpace } from './membership.ts'
import { listMemberships } from './queries.ts'
import {
  isInTimeout,
  loadRoomSnapshot,
  loadSnapshot,
  rightsIn,
  rightsInRoom,
  type Snapshots,
  type SpaceSnapshot,
} from './snapshots.ts'

declare const granted: unique symbol
declare const held: unique symbol

/** Proof that the caller is a member of the space, with their rights there. Only functions of this file create it. */
export interface SpaceAccess extends RightFlags {
  readonly [granted]: 'space'
  readonly caller: Caller
  readonly spaceId: string
  readonly snapshot: SpaceSnapshot
  readonly member: Member
}

/**
 * Access to a space that is locked: its structure and members do not change until the transaction ends. Only `holdSpace` and
 * `holdSpaceOfRoom` create it.
 */
export interface HeldSpace extends SpaceAccess {
  readonly [held]: true
}

/** Proof that the caller may view the room, with their rights there. Only functions of this file create it. */
export interface RoomAccess extends Omit<SpaceAccess, typeof granted> {
  readonly [granted]: 'room'
  readonly room: Room
}

/**
 * @param needed the right that the caller needs in the space
 * @throws ApiError 403 for outsiders, so that a space's existence is not revealed, and for members without the
 *   permission
 */
export async function accessSpace(
  snapshots: Snapshots,
  caller: Caller,
  spaceId: string,
  needed: Needed = 0,
): Promise<SpaceAccess> {
  const { snapshot, member } = await snapshots.findMembership(spaceId, caller.user.id)
  if (snapshot === undefined || member === undefined) throw new ApiError('not_a_member')
  const facts = { caller, snapshot, member }
  return grant<SpaceAccess>({ ...facts, spaceId, ...usable(rightsIn(snapshot, member), needed, facts) })
}

/**
 * Locks the space and checks access again, because it may have changed before the transaction. Changes of a space's roles,
 * overwrites, rooms and members run one after another, each on the previous result.
 * @throws ApiError with the errors of `accessSpace`
 */
export async function holdSpace(
  transaction: Queryable,
  { caller, spaceId }: SpaceAccess,
  needed: Needed = 0,
): Promise<HeldSpace> {
  await lockSpace(transaction, spaceId)
  const snapshot = await loadSnapshot(transaction, spaceId)
  const [member] = await listMemberships(transaction, caller.user.id, [spaceId])
  if (snapshot === undefined || member === undefined) throw new ApiError('not_a_member')
  const facts = { caller, snapshot, member }
  return grant<HeldSpace>({ ...facts, spaceId, ...usable(rightsIn(snapshot, member), needed, facts) })
}

/**
 * Like `holdSpace`, but for a change of one room: loads only the rows of this room, of the caller's roles and of `roleIds`,
 * so that the cost does not grow with the space.
 * @throws ApiError 403 for outsiders
 */
export async function holdSpaceOfRoom(
  transaction: Queryable,
  { caller, spaceId }: SpaceAccess,
  roomId: string,
  roleIds: readonly string[] = [],
): Promise<HeldSpace> {
  const space = await lockSpace(transaction, spaceId)
  const [member] = await listMemberships(transaction, caller.user.id, [spaceId])
  if (space === undefined || member === undefined) throw new ApiError('not_a_member')
  const snapshot = await loadRoomSnapshot(transaction, space, roomId, [...member.roles, ...roleIds])
  const facts = { caller, snapshot, member }
  return grant<HeldSpace>({ ...facts, spaceId, ...usable(rightsIn(snapshot, member), 0, facts) })
}

/**
 * Like `holdSpace`, but for one room and with a shared lock: the caller's rights in the room stay the same until the
 * transaction ends. The cost does not grow with the space.
 * @throws ApiError with the errors of `accessRoom`
 */
export async function holdRoom(
  transaction: Queryable,
  { caller, spaceId, room }: RoomAccess,
  needed: Needed = 0,
): Promise<RoomAccess> {
  const space = await keepSpace(transaction, spaceId)
  const [member] = await listMemberships(transaction, caller.user.id, [spaceId])
  if (space === undefined || member === undefined) throw new ApiError('not_a_member')
  const snapshot = await loadRoomSnapshot(transaction, space, room.id, member.roles)
  const facts = { caller, snapshot, member }
  const rights = usable(rightsIn(snapshot, member), 0, facts)
  const access = grant<SpaceAccess>({ ...facts, spaceId, ...rights })
  return accessRoomIn(access, room.id, needed)
}

/**
 * Finds a room by its id and checks the caller's access. The result has the caller's rights in the room.
 * @param needed the permission that the caller needs in the room, besides ViewChannels
 * @throws ApiError 404 for a room that does not exist, 403 for outsiders and members who may not view it
 */
export async function accessRoom(
  snapshots: Snapshots,
  caller: Caller,
  roomId: string,
  needed: Needed = 0,
): Promise<RoomAccess> {
  const spaceId = await snapshots.findSpaceOfRoom(roomId)
  if (spaceId === undefined) throw new ApiError('unknown_room')
  return accessRoomIn(await accessSpace(snapshots, caller, spaceId), roomId, needed)
}

/**
 * Checks access to a room of a space that the caller has already accessed.
 * @throws ApiError 404 for a room of another space, 403 if the caller may not view it or lacks the needed right
 */
export function accessRoomIn(space: SpaceAccess, roomId: string, needed: Needed = 0): RoomAccess {
  const { caller, spaceId, snapshot, member } = space
  const room = snapshot.rooms.get(roomId)
  if (room === undefined) throw new ApiError('unknown_room')
  const rights = rightsInRoom(snapshot, member, roomId)
  const mayView = has(rights.permissions, Permission.ViewChannels)
  if (!mayView) throw new ApiError('missing_permission')
  const facts = { caller, snapshot, member }
  return grant<RoomAccess>({ ...facts, spaceId, ...usable(rights, needed, facts), room })
}

type Facts = Pick<SpaceAccess, 'caller' | 'snapshot' | 'member'>

/**
 * Returns the rights that the caller's session may use.
 * @throws ApiError 403 if `needed` is not among them
 */
function usable(rights: RightFlags, needed: Needed, facts: Facts): RightFlags {
  const usable = isHeldBack(facts) ? withoutModeration(rights) : rights
  if (holds(usable, needed)) return usable
  throw holds(rights, needed) ? new ApiError('second_factor_needed') : refusalOf(facts)
}

/** Returns whether the space asks moderators for a second factor that the caller's session does not have. */
export function isHeldBack({ snapshot, caller }: Pick<Facts, 'caller' | 'snapshot'>): boolean {
  return snapshot.space.needs_second_factor && lacksSecondFactor(caller)
}

/**
 * Returns the error for a missing right, with its reason: the space is frozen, the member is timed out, or a moderator's
 * session has no second factor.
 */
export function refusalOf(facts: Facts): ApiError {
  const { snapshot, member } = facts
  if (snapshot.space.frozen_at !== null) return new ApiError('space_frozen')
  if (isInTimeout(member)) return new ApiError('timed_out')
  const isModerator = isHeldBack(facts) && hasModeration(rightsIn(snapshot, member))
  return new ApiError(isModerator ? 'second_factor_needed' : 'missing_permission')
}

/**
 * Checks changes that need no permission, such as editing one's own messages.
 * @throws ApiError 403 for a frozen space
 */
export function checkNotFrozen({ frozen_at }: Pick<Space, 'frozen_at'>): void {
  if (frozen_at !== null) throw new ApiError('space_frozen')
}

/** The only function that creates proofs of access. */
function grant<Access extends { [granted]: string }>(
  facts: Omit<Access, typeof granted | typeof held>,
): Access {
  return facts as Access
}
