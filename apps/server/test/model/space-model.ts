import { Permission, type PermissionName } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'

/**
 * A space as the specification describes it, with sets of names and none of the server's code. It is deliberately
 * naive: the server must agree with it.
 */
export interface SpaceModel {
  readonly id: string
  ownerId: string
  /** Roles in ascending order, starting with @everyone. */
  roles: ModelRole[]
  members: Map<string, Set<string>>
  /** Rooms sorted by position. */
  rooms: { id: string; type: number; parentId: string | null }[]
  overwrites: ModelOverwrite[]
}

export interface ModelRole {
  id: string
  permissions: number
}

export interface ModelOverwrite {
  roomId: string
  targetId: string
  targetType: number
  allow: number
  deny: number
}

export const names = Object.keys(Permission).filter((name): name is PermissionName => name in Permission)

export function namesIn(flags: number): PermissionName[] {
  return names.filter((name) => Math.floor(flags / Permission[name]) % 2 === 1)
}

/** "A member's base permissions are the bitwise OR of the permissions of all their roles." */
function isGranted(space: SpaceModel, userId: string, name: PermissionName): boolean {
  return rolesOf(space, userId).some((role) => namesIn(role.permissions).includes(name))
}

function rolesOf(space: SpaceModel, userId: string): ModelRole[] {
  const own = space.members.get(userId)
  if (own === undefined) return []
  return space.roles.filter((role) => role.id === space.id || own.has(role.id))
}

/** "The space owner and members with Administrator have every permission." */
export function mayAll(space: SpaceModel, userId: string): boolean {
  if (!space.members.has(userId)) return false
  return space.ownerId === userId || isGranted(space, userId, 'Administrator')
}

export function may(space: SpaceModel, userId: string, name: PermissionName): boolean {
  return mayAll(space, userId) || isGranted(space, userId, name)
}

/**
 * "In a room, role overwrites are applied in three steps, each first removing its denied bits and then adding its
 * allowed bits."
 */
export function mayIn(space: SpaceModel, userId: string, roomId: string, name: PermissionName): boolean {
  if (!space.members.has(userId)) return false
  if (mayAll(space, userId)) return true
  // "Administrator only takes effect when granted by a role, not by an overwrite."
  if (name === 'Administrator') return false
  const own = space.members.get(userId)
  const steps = [
    overwritesOf(space, roomId, (id, type) => type === 0 && id === space.id),
    overwritesOf(space, roomId, (id, type) => type === 0 && own?.has(id) === true),
    overwritesOf(space, roomId, (id, type) => type === 1 && id === userId),
  ]
  let result = isGranted(space, userId, name)
  for (const step of steps) {
    if (step.some(({ deny }) => namesIn(deny).includes(name))) result = false
    if (step.some(({ allow }) => namesIn(allow).includes(name))) result = true
  }
  return result
}

function overwritesOf(
  space: SpaceModel,
  roomId: string,
  fits: (targetId: string, targetType: number) => boolean,
): ModelOverwrite[] {
  return space.overwrites.filter(
    (overwrite) => overwrite.roomId === roomId && fits(overwrite.targetId, overwrite.targetType),
  )
}

/** Returns the ids of the rooms that the user may view, sorted by position. */
export function viewable(space: SpaceModel, userId: string): string[] {
  return space.rooms.filter(({ id }) => mayIn(space, userId, id, 'ViewChannels')).map(({ id }) => id)
}

/** "Only connections with `forums` are sent forums." */
export function sent(space: SpaceModel, userId: string, withForums: boolean): string[] {
  const forums = space.rooms.filter(({ type }) => type === RoomType.Forum).map(({ id }) => id)
  return viewable(space, userId).filter((id) => withForums || !forums.includes(id))
}

/**
 * "Unless the caller owns the space, role operations require the target role to be below the caller's highest role."
 */
export function mayTouchRole(space: SpaceModel, userId: string, roleId: string): boolean {
  return space.ownerId === userId || positionOf(space, roleId) < highest(space, userId)
}

export function positionOf(space: SpaceModel, roleId: string): number {
  return space.roles.findIndex(({ id }) => id === roleId)
}

export function highest(space: SpaceModel, userId: string): number {
  return Math.max(...rolesOf(space, userId).map(({ id }) => positionOf(space, id)))
}
