import { has, OverwriteTarget, Permission, roomPermissions } from '@foyer/protocol/permissions'

/** Members of a space and overwrites of its rooms, derived from acknowledged requests. */
export interface SpaceModel {
  id: string
  ownerId: string
  /** Roles by member, without @everyone. */
  members: Map<string, Set<string>>
  everyone: number
  /** Rooms that receive messages. */
  rooms: readonly string[]
  overwrites: readonly ModelOverwrite[]
  banned: Set<string>
  /** Users who are timed out, also after they left. */
  timedOut: Set<string>
  /** True while a rule refuses the forbidden word. */
  forbids: boolean
  /** True while the door is closed: invites let nobody in. */
  isClosed: boolean
  /** Users who wait at the closed door. */
  waiting: Set<string>
}

export interface ModelOverwrite {
  roomId: string
  targetId: string
  /** A value of OverwriteTarget. */
  type: number
  allow: number
  deny: number
}

/** A change of one user's access to one room. */
export interface Difference {
  userId: string
  roomId: string
  sees: boolean
}

export function sees(space: SpaceModel, userId: string, roomId: string): boolean {
  const roles = space.members.get(userId)
  if (roles === undefined) return false
  // Roles of these spaces have no permissions of their own: overwrites open rooms to them.
  const held = [space.id, ...roles].map((id) => ({ id, permissions: id === space.id ? space.everyone : 0 }))
  const subject = { userId, ownerId: space.ownerId, spaceId: space.id, roles: held }
  const overwrites = space.overwrites.flatMap((each) =>
    each.roomId === roomId
      ? [{ target_id: each.targetId, target_type: each.type, allow_flags: each.allow, deny_flags: each.deny }]
      : [],
  )
  return has(roomPermissions(subject, overwrites), Permission.ViewChannels)
}

/** Lists the users and rooms whose access differs. */
export function differences(before: SpaceModel, after: SpaceModel): Difference[] {
  const users = new Set([...before.members.keys(), ...after.members.keys()])
  return [...users].flatMap((userId) =>
    before.rooms.flatMap((roomId) => {
      const isSeen = sees(after, userId, roomId)
      return isSeen === sees(before, userId, roomId) ? [] : [{ userId, roomId, sees: isSeen }]
    }),
  )
}

/** Returns a deep copy: changing it does not affect the original. */
export function copyOf(space: SpaceModel): SpaceModel {
  const members = new Map([...space.members].map(([id, roles]) => [id, new Set(roles)]))
  const [banned, timedOut] = [new Set(space.banned), new Set(space.timedOut)]
  return { ...space, members, banned, timedOut, waiting: new Set(space.waiting) }
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
