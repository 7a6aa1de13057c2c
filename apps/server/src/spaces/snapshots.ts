import type { RankedSubject } from '@foyer/protocol/hierarchy'
import type { Member } from '@foyer/protocol/members'
import {
  has,
  OverwriteTarget,
  Permission,
  type RightFlags,
  roomPermissions,
  roomRights,
  spaceRights,
} from '@foyer/protocol/permissions'
import type { Role, RoomOverwrite } from '@foyer/protocol/roles'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { Space } from '@foyer/protocol/spaces'
import { Cache, growingLru } from '#src/kernel/cache.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { Bus, Event } from '#src/kernel/journal/bus.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import {
  countSpaceImages,
  findRoles,
  findRooms,
  findSpaceOfRoom,
  findSpaces,
  listMemberships,
  listOverwrites,
  listOverwritesOf,
  listRoles,
  listRooms,
} from './queries.ts'
import { weightOf } from './snapshot-weights.ts'

/** The data that decides about permissions in a space, as of one transaction. */
export interface SpaceSnapshot {
  readonly space: Space
  readonly rooms: ReadonlyMap<string, Room>
  readonly roles: ReadonlyMap<string, Role>
  readonly overwrites: ReadonlyMap<string, readonly RoomOverwrite[]>
  /** Number of emojis and stickers. Zero unless the whole space was loaded for the cache. */
  readonly imageCount: number
}

/** A space, and a user's membership of it. */
export interface SpaceMembership {
  readonly snapshot: SpaceSnapshot | undefined
  readonly member: Member | undefined
}

/** Maximum rows in the cache, as counted by `weightOf`, of about 400 bytes each. A READY has at most 40,000. */
const CACHED_SPACE_ROWS = 1_000_000
const CACHED_SINGLED = 1_000_000
const CACHED_MEMBERS = 200_000
const CACHED_ROOMS = 500_000

/**
 * Caches permission snapshots and members per process. An event drops stale entries before any subscriber can read
 * them, so no answer is older than the last acknowledged change.
 */
export class Snapshots {
  readonly #spaces: Cache<SpaceSnapshot | undefined>
  readonly #members: Cache<Member | undefined>
  readonly #rooms: Cache<string | undefined>
  /** Ids of the members who had overwrites of their own when a space was last loaded, by space id. */
  readonly #singled = growingLru<ReadonlySet<string>>(CACHED_SINGLED)

  constructor({ database, bus }: { database: Database; bus: Bus }) {
    const bound = { maxWeight: CACHED_SPACE_ROWS, weigh: weightOf }
    this.#spaces = new Cache(bound, bus.freshness, async (spaceId) => {
      const snapshot = await loadSnapshot(database, spaceId)
      this.#doubtMembers(spaceId, snapshot)
      return snapshot
    })
    this.#rooms = new Cache(CACHED_ROOMS, bus.freshness, (roomId) => findSpaceOfRoom(database, roomId))
    this.#members = new Cache(CACHED_MEMBERS, bus.freshness, async (key) => {
      const [spaceId = '', userId = ''] = key.split(' ')
      const [member] = await listMemberships(database, userId, [spaceId])
      return member
    })
  }

  receive(events: readonly Event[]): void {
    for (const event of events) this.#handle(event)
  }

  find(spaceId: string): Promise<SpaceSnapshot | undefined> {
    return this.#spaces.get(spaceId)
  }

  /** Returns the cached snapshot if it is current, without loading. */
  current(spaceId: string): SpaceSnapshot | undefined {
    return this.#spaces.peek(spaceId)
  }

  /**
   * Reads the membership after the space: otherwise a member who leaves in between would be evaluated without the
   * overwrites that hide rooms from them.
   */
  async findMembership(spaceId: string, userId: string): Promise<SpaceMembership> {
    const snapshot = await this.find(spaceId)
    return { snapshot, member: await this.findMember(spaceId, userId) }
  }

  findMember(spaceId: string, userId: string): Promise<Member | undefined> {
    return this.#members.get(memberKey(spaceId, userId))
  }

  findSpaceOfRoom(roomId: string): Promise<string | undefined> {
    return this.#rooms.get(roomId)
  }

  /**
   * Drops the cached members whose own overwrites were deleted. Leaving a space deletes a member's overwrites, and a reload
   * may see the deletion before the event arrives. The cached member could then view rooms that only the overwrites hid.
   */
  #doubtMembers(spaceId: string, snapshot: SpaceSnapshot | undefined): void {
    const singled = snapshot === undefined ? new Set<string>() : singledIn(snapshot)
    for (const userId of this.#singled.get(spaceId) ?? [])
      if (!singled.has(userId)) this.#members.drop(memberKey(spaceId, userId))
    this.#singled.set(spaceId, singled, { size: 1 + singled.size })
  }

  #handle(event: Event): void {
    const change = changes[event.name]
    const spaceId = event.topic.tenantId
    if (change === 'space' || event.topic.kind === 'access') this.#spaces.drop(spaceId)
    if (event.name === 'ROOM_DELETE') this.#rooms.drop(event.topic.channelId)
    if (change === 'member') this.#members.drop(memberKey(spaceId, memberOf(event)))
  }
}

/** The cache that each event invalidates. */
const changes: Record<string, 'space' | 'member'> = {
  SPACE_UPDATE: 'space',
  SPACE_ROLE_CREATE: 'space',
  SPACE_ROLE_UPDATE: 'space',
  SPACE_ROLE_DELETE: 'space',
  ROOM_CREATE: 'space',
  ROOM_UPDATE: 'space',
  ROOM_DELETE: 'space',
  ROOM_OVERWRITE_UPDATE: 'space',
  ROOM_OVERWRITE_DELETE: 'space',
  SPACE_EMOJI_CREATE: 'space',
  SPACE_EMOJI_DELETE: 'space',
  SPACE_STICKER_CREATE: 'space',
  SPACE_STICKER_DELETE: 'space',
  SPACE_MEMBER_CREATE: 'member',
  SPACE_MEMBER_UPDATE: 'member',
  SPACE_MEMBER_DELETE: 'member',
}

/**
 * Returns false if the channel certainly has no announcements. Looks only at a cached snapshot, and returns true without
 * one.
 */
export function mayAnnounce(
  snapshots: Snapshots,
  { tenantId, channelId, parentId }: { tenantId: string; channelId: string; parentId?: string | undefined },
): boolean {
  if (tenantId === channelId || parentId !== undefined) return false
  const snapshot = snapshots.current(tenantId)
  return snapshot === undefined || snapshot.rooms.get(channelId)?.announces === true
}

const singled = new WeakMap<SpaceSnapshot, ReadonlySet<string>>()

/** Returns the members with overwrites of their own. */
export function singledIn(snapshot: SpaceSnapshot): ReadonlySet<string> {
  const known = singled.get(snapshot)
  if (known !== undefined) return known
  const overwrites = [...snapshot.overwrites.values()].flat()
  const own = overwrites.filter(({ target_type }) => target_type === OverwriteTarget.Member)
  const userIds = new Set(own.map(({ target_id }) => target_id))
  singled.set(snapshot, userIds)
  return userIds
}

/** Returns the user of a membership event. */
export function memberOf(event: Event): string {
  const data: { user_id: string } = JSON.parse(event.data)
  return data.user_id
}

function memberKey(spaceId: string, userId: string): string {
  return `${spaceId} ${userId}`
}

/** Loads a snapshot, from the database or within a transaction. */
export async function loadSnapshot(database: Queryable, spaceId: string): Promise<SpaceSnapshot | undefined> {
  const ids = [spaceId]
  // Overwrites come first: a room or role deleted in between must not be seen without the overwrites that hid rooms.
  const overwrites = await listOverwrites(database, ids)
  const [[space], rooms, roles, imageCount] = await Promise.all([
    findSpaces(database, ids),
    listRooms(database, ids),
    listRoles(database, ids),
    countSpaceImages(database, spaceId),
  ])
  return space && makeSnapshot(space, { rooms, roles, overwrites, imageCount })
}

/** Loads only the rows that decide about one room for members with these roles. */
export async function loadRoomSnapshot(
  database: Queryable,
  space: Space,
  roomId: string,
  roleIds: readonly string[],
): Promise<SpaceSnapshot> {
  const [rooms, roles, overwrites] = await Promise.all([
    findRooms(database, space.id, [roomId]),
    findRoles(database, space.id, [space.id, ...roleIds]),
    listOverwritesOf(database, space.id, roomId),
  ])
  return makeSnapshot(space, { rooms, roles, overwrites, imageCount: 0 })
}

export interface SpaceParts {
  rooms: readonly Room[]
  roles: readonly Role[]
  overwrites: readonly RoomOverwrite[]
  imageCount: number
}

export function makeSnapshot(
  space: Space,
  { rooms, roles, overwrites, imageCount }: SpaceParts,
): SpaceSnapshot {
  return {
    space,
    imageCount,
    rooms: new Map(rooms.map((room) => [room.id, room])),
    roles: new Map(roles.map((role) => [role.id, role])),
    overwrites: Map.groupBy(overwrites, (overwrite) => overwrite.room_id),
  }
}

/** The fields of a member that decide about permissions. */
export type RankedMember = Pick<Member, 'user_id' | 'roles'> &
  Partial<Pick<Member, 'timeout_until'>> & {
    /** True for a connection whose client does not know forums. */
    readonly hidesForums?: boolean
  }

/** Returns the member in the form that the permission rules take. */
export function subjectOf(snapshot: SpaceSnapshot, member: RankedMember): RankedSubject {
  const { space, roles } = snapshot
  const own = [space.id, ...member.roles].map((id) => roles.get(id)).filter((role) => role !== undefined)
  const limits = { isTimedOut: isInTimeout(member), isFrozen: space.frozen_at !== null }
  return { userId: member.user_id, ownerId: space.owner_id, spaceId: space.id, roles: own, ...limits }
}

/** Returns true if the member may currently only read and listen. A timeout ends without an event. */
export function isInTimeout({ timeout_until: until }: Partial<Pick<Member, 'timeout_until'>>): boolean {
  return until !== null && until !== undefined && Date.parse(until) > Date.now()
}

export function rightsIn(snapshot: SpaceSnapshot, member: RankedMember): RightFlags {
  return spaceRights(subjectOf(snapshot, member))
}

export function rightsInRoom(snapshot: SpaceSnapshot, member: RankedMember, roomId: string): RightFlags {
  return roomRights(subjectOf(snapshot, member), snapshot.overwrites.get(roomId) ?? [])
}

export function permissionsInRoom(snapshot: SpaceSnapshot, member: RankedMember, roomId: string): number {
  return rightsInRoom(snapshot, member, roomId).permissions
}

/** Returns a lookup of the rooms that the member may view. Rooms of other spaces answer false. */
export function viewOf(snapshot: SpaceSnapshot, member: RankedMember): (roomId: string) => boolean {
  const subject = subjectOf(snapshot, member)
  return (roomId) => {
    const room = snapshot.rooms.get(roomId)
    if (room === undefined || (member.hidesForums && room.type === RoomType.Forum)) return false
    return has(roomPermissions(subject, snapshot.overwrites.get(roomId) ?? []), Permission.ViewChannels)
  }
}

/** Returns the rooms that the member may view, in order. */
export function visibleRooms(snapshot: SpaceSnapshot, member: RankedMember): Room[] {
  const mayView = viewOf(snapshot, member)
  return [...snapshot.rooms.values()].filter(({ id }) => mayView(id))
}

/** Rooms that a member may view: all but the exceptions if `isUsual`, otherwise only the exceptions. */
export interface ViewExceptions {
  readonly isUsual: boolean
  readonly exceptions: readonly string[]
}

/** Returns which rooms the member may view. Looks only at rooms with overwrites: a member may view all other rooms or none. */
export function viewExceptions(snapshot: SpaceSnapshot, member: RankedMember): ViewExceptions {
  const subject = subjectOf(snapshot, member)
  const mayView = (overwrites: readonly RoomOverwrite[]) =>
    has(roomPermissions(subject, overwrites), Permission.ViewChannels)
  const isUsual = mayView([])
  const differing = [...snapshot.overwrites].filter(([, overwrites]) => mayView(overwrites) !== isUsual)
  return { isUsual, exceptions: differing.map(([roomId]) => roomId) }
}
