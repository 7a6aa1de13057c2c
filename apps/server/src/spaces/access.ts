import type { Member } from '@foyer/protocol/members'
import { has, Permission } from '@foyer/protocol/permissions'
import type { Room } from '@foyer/protocol/rooms'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { keepSpace, lockSpace } from './membership.ts'
import { listMemberships } from './queries.ts'
import {
  loadRoomSnapshot,
  loadSnapshot,
  permissionsIn,
  permissionsInRoom,
  type Snapshots,
  type SpaceSnapshot,
} from './snapshots.ts'

declare const granted: unique symbol
declare const held: unique symbol

/** Proof that the caller is a member of the space. Only `accessSpace` makes one. */
export interface SpaceAccess {
  readonly [granted]: 'space'
  readonly caller: Caller
  readonly spaceId: string
  readonly snapshot: SpaceSnapshot
  readonly member: Member
  /** The caller's permissions in the space. */
  readonly permissions: number
}

/**
 * Access to a space that is locked: its structure and members do not change until the transaction ends. Only
 * `holdSpace` makes one.
 */
export interface HeldSpace extends SpaceAccess {
  readonly [held]: true
}

/** Proof that the caller may view the room. Only `accessRoom` and `accessSpaceRoom` make one. */
export interface RoomAccess extends Omit<SpaceAccess, typeof granted> {
  readonly [granted]: 'room'
  readonly room: Room
}

/**
 * @param permission bits that the caller needs in the space
 * @throws ApiError 403 for outsiders, so that a space's existence is not revealed, and for members without the
 *   permission
 */
export async function accessSpace(
  snapshots: Snapshots,
  caller: Caller,
  spaceId: string,
  permission = 0,
): Promise<SpaceAccess> {
  const { snapshot, member } = await snapshots.findMembership(spaceId, caller.user.id)
  if (snapshot === undefined || member === undefined) throw new ApiError('not_a_member')
  const permissions = permissionsIn(snapshot, member)
  if (!has(permissions, permission)) throw new ApiError('missing_permission')
  return grant<SpaceAccess>({ caller, spaceId, snapshot, member, permissions })
}

/**
 * Locks the space and checks access again, because it may have changed before the transaction. Changes of a space's
 * roles, overwrites, rooms and members run one after another, each on the result of the one before.
 * @throws ApiError as `accessSpace`
 */
export async function holdSpace(
  transaction: Queryable,
  { caller, spaceId }: SpaceAccess,
  permission = 0,
): Promise<HeldSpace> {
  await lockSpace(transaction, spaceId)
  const snapshot = await loadSnapshot(transaction, spaceId)
  const [member] = await listMemberships(transaction, caller.user.id, [spaceId])
  if (snapshot === undefined || member === undefined) throw new ApiError('not_a_member')
  const permissions = permissionsIn(snapshot, member)
  if (!has(permissions, permission)) throw new ApiError('missing_permission')
  return grant<HeldSpace>({ caller, spaceId, snapshot, member, permissions })
}

/**
 * As `holdSpace`, for a change of one room. Loads only the rows that decide about this room and the named roles, so it
 * costs the same in every space.
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
  const permissions = permissionsIn(snapshot, member)
  return grant<HeldSpace>({ caller, spaceId, snapshot, member, permissions })
}

/**
 * As `holdSpace`, for one room and with a shared lock: the caller's permissions there stay until the transaction ends.
 * It costs the same in every space.
 * @throws ApiError as `accessRoom`
 */
export async function holdRoom(
  transaction: Queryable,
  { caller, spaceId, room }: RoomAccess,
  permission = 0,
): Promise<RoomAccess> {
  const space = await keepSpace(transaction, spaceId)
  const [member] = await listMemberships(transaction, caller.user.id, [spaceId])
  if (space === undefined || member === undefined) throw new ApiError('not_a_member')
  const snapshot = await loadRoomSnapshot(transaction, space, room.id, member.roles)
  const permissions = permissionsIn(snapshot, member)
  return accessRoomIn(
    grant<SpaceAccess>({ caller, spaceId, snapshot, member, permissions }),
    room.id,
    permission,
  )
}

/**
 * Access to a room by its id. `permissions` of the result are those in the room.
 * @param permission bits that the caller needs in the room, besides ViewChannels
 * @throws ApiError 404 for a room that does not exist, 403 for outsiders and members who may not view it
 */
export async function accessRoom(
  snapshots: Snapshots,
  caller: Caller,
  roomId: string,
  permission = 0,
): Promise<RoomAccess> {
  const spaceId = await snapshots.findSpaceOfRoom(roomId)
  if (spaceId === undefined) throw new ApiError('unknown_room')
  return accessRoomIn(await accessSpace(snapshots, caller, spaceId), roomId, permission)
}

/**
 * Access to a room of a space that was accessed already.
 * @throws ApiError 404 for a room of another space, 403 without the permission
 */
export function accessRoomIn(space: SpaceAccess, roomId: string, permission = 0): RoomAccess {
  const { caller, spaceId, snapshot, member } = space
  const room = snapshot.rooms.get(roomId)
  if (room === undefined) throw new ApiError('unknown_room')
  const permissions = permissionsInRoom(snapshot, member, roomId)
  if (!has(permissions, Permission.ViewChannels | permission)) throw new ApiError('missing_permission')
  return grant<RoomAccess>({ caller, spaceId, snapshot, member, permissions, room })
}

/** The only place that makes proofs of access. */
function grant<Access extends { [granted]: string }>(
  facts: Omit<Access, typeof granted | typeof held>,
): Access {
  return facts as Access
}
