import { has, OverwriteTarget, Permission, roomPermissions } from '@foyer/protocol/permissions'

/** Who is in a space and what hides its rooms, by what was asked of the server and acknowledged. */
export interface SpaceModel {
  id: string
  ownerId: string
  /** The roles of each member, without @everyone. */
  members: Map<string, Set<string>>
  everyone: number
  /** Those that are talked in. */
  rooms: readonly string[]
  overwrites: readonly ModelOverwrite[]
  banned: Set<string>
}

export interface ModelOverwrite {
  roomId: string
  targetId: string
  /** Of OverwriteTarget. */
  type: number
  allow: number
  deny: number
}

/** One room and one user of it, and whether they see it from now on. */
export interface Difference {
  userId: string
  roomId: string
  sees: boolean
}

export function sees(space: SpaceModel, userId: string, roomId: string): boolean {
  const roles = space.members.get(userId)
  if (roles === undefined) return false
  // Roles of these spaces have no permissions of their own: rooms are opened to them by overwrites.
  const held = [space.id, ...roles].map((id) => ({ id, permissions: id === space.id ? space.everyone : 0 }))
  const subject = { userId, ownerId: space.ownerId, spaceId: space.id, roles: held }
  const overwrites = space.overwrites.flatMap((each) =>
    each.roomId === roomId
      ? [{ target_id: each.targetId, target_type: each.type, allow_flags: each.allow, deny_flags: each.deny }]
      : [],
  )
  return has(roomPermissions(subject, overwrites), Permission.ViewChannels)
}

/** Whose sight of which room is another one after the change. */
export function differences(before: SpaceModel, after: SpaceModel): Difference[] {
  const users = new Set([...before.members.keys(), ...after.members.keys()])
  return [...users].flatMap((userId) =>
    before.rooms.flatMap((roomId) => {
      const isSeen = sees(after, userId, roomId)
      return isSeen === sees(before, userId, roomId) ? [] : [{ userId, roomId, sees: isSeen }]
    }),
  )
}

/** Copies, so that a change of either is none of the other. */
export function copyOf(space: SpaceModel): SpaceModel {
  const members = new Map([...space.members].map(([id, roles]) => [id, new Set(roles)]))
  return { ...space, members, banned: new Set(space.banned) }
}

export function removeMember(space: SpaceModel, userId: string): void {
  space.members.delete(userId)
  space.overwrites = space.overwrites.filter(
    ({ type, targetId }) => type !== OverwriteTarget.Member || targetId !== userId,
  )
}

export function setOverwrite(space: SpaceModel, overwrite: ModelOverwrite): void {
  clearOverwrite(space, overwrite)
  space.overwrites = [...space.overwrites, overwrite]
}

export function clearOverwrite(
  space: SpaceModel,
  { roomId, targetId }: Pick<ModelOverwrite, 'roomId' | 'targetId'>,
): void {
  space.overwrites = space.overwrites.filter((each) => each.roomId !== roomId || each.targetId !== targetId)
}
