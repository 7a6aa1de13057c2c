import { type Topic, topicOf } from '#src/kernel/bus.ts'
import type { Caller } from '#src/kernel/credentials.ts'
import {
  type RankedMember,
  type Snapshots,
  type SpaceSnapshot,
  viewOf,
  visibleRooms,
  weightOf,
} from '#src/spaces/snapshots.ts'
import type { BelongingsReader, Membership } from './belongings.ts'
import type { Connection } from './connection.ts'
import type { Gates } from './gates.ts'
import type { Listeners } from './listeners.ts'
import type { Channels } from './recent-events.ts'

export interface SubscribingDeps {
  belongings: BelongingsReader
  snapshots: Snapshots
  gates: Gates
  listeners: Listeners
}

/**
 * Rows that READY carries of a user's spaces. 40,000 are about 6 MB and half a second of one core; a space of the largest kind
 * has 7,000.
 */
const MAX_READY_WEIGHT = 40_000
/** Spaces loaded at once where they are not cached: each may have 5,000 overwrites. */
const SPACES_AT_ONCE = 16

export interface Subscription {
  readonly spaces: readonly SubscribedSpace[]
  /** Spaces past the bound of what READY carries, which are told one by one after it. */
  readonly lateSpaceIds: readonly string[]
  /** Rows that a state of `spaces` has. */
  readonly weight: number
  readonly conversationIds: readonly string[]
  readonly deletedSpaceIds: readonly string[]
}

interface SubscribedSpace {
  readonly member: RankedMember
  readonly snapshot: SpaceSnapshot
}

/**
 * Lets the connection hear its spaces and conversations, and answers with them, and with the spaces that were deleted.
 * Memberships and spaces may change while they are looked up: then it begins anew.
 */
export async function subscribe(
  deps: SubscribingDeps,
  connection: Connection,
  caller: Caller,
  deletedSince: Date,
): Promise<Subscription> {
  const { belongings, snapshots, gates, listeners } = deps
  const changes = connection.membershipChanges
  const { memberships, conversationIds, deletedSpaceIds } = await belongings.read(
    caller.user.id,
    deletedSince,
  )
  const bound = await findBound(snapshots, memberships)
  const lateSpaceIds = memberships.slice(bound.count).map(({ space_id }) => space_id)
  const due = memberships.slice(0, bound.count)
  const spaceIds = due.map((member) => member.space_id)
  await gates.allOpen([...spaceIds, ...conversationIds])
  if (connection.state.name !== 'joining') return nothing
  const spaces = due.flatMap((member) => {
    const snapshot = snapshots.current(member.space_id)
    return snapshot === undefined ? [] : [{ member, snapshot }]
  })
  if (changes !== connection.membershipChanges || spaces.length < spaceIds.length)
    return subscribe(deps, connection, caller, deletedSince)
  for (const { member, snapshot } of spaces) listeners.addToSpace(connection, snapshot, member)
  for (const id of conversationIds) listeners.addToConversation(connection, id)
  // Asked again now that leaving would be heard: a snapshot may be newer than the membership, and who leaves takes along
  // the overwrites that hid rooms from them.
  const now = await belongings.read(caller.user.id, deletedSince)
  const left = spaceIds.filter((id) => !now.memberships.some(({ space_id }) => space_id === id))
  for (const spaceId of left) listeners.removeFromSpace(connection, spaceId)
  return left.length > 0
    ? subscribe(deps, connection, caller, deletedSince)
    : { spaces, lateSpaceIds, weight: bound.weight, conversationIds, deletedSpaceIds }
}

const nothing: Subscription = {
  spaces: [],
  lateSpaceIds: [],
  weight: 0,
  conversationIds: [],
  deletedSpaceIds: [],
}

/** How many of the spaces READY carries, the first in any case, and their weight. Spaces past the bound are not loaded. */
async function findBound(snapshots: Snapshots, memberships: readonly Membership[]): Promise<Bound> {
  let bound: Bound = { count: 0, weight: 0, isReached: false }
  while (bound.count < memberships.length && !bound.isReached) {
    const group = memberships.slice(bound.count, bound.count + SPACES_AT_ONCE)
    bound = withSpaces(bound, await Promise.all(group.map(({ space_id }) => snapshots.find(space_id))))
  }
  return bound
}

interface Bound {
  readonly count: number
  readonly weight: number
  readonly isReached: boolean
}

function withSpaces(bound: Bound, spaces: readonly (SpaceSnapshot | undefined)[]): Bound {
  let { count, weight } = bound
  for (const space of spaces) {
    const next = weight + (space === undefined ? 0 : weightOf(space))
    if (count > 0 && next > MAX_READY_WEIGHT) return { count, weight, isReached: true }
    count += 1
    weight = next
  }
  return { count, weight, isReached: false }
}

/** The channels of all that the connection hears, whether the user may view them or not. */
export function channelsOf(
  userId: string,
  { spaces, conversationIds, deletedSpaceIds }: Subscription,
): Channels {
  const single = [userId, ...conversationIds, ...deletedSpaceIds]
  return new Map<string, Iterable<string>>([
    ...single.map((id) => [id, [id]] as const),
    ...spaces.map(({ snapshot }) => [snapshot.space.id, channelsOfSpace(snapshot)] as const),
  ])
}

/** One list for all who come back to the space. */
const spaceChannels = new WeakMap<SpaceSnapshot, readonly string[]>()

function channelsOfSpace(snapshot: SpaceSnapshot): readonly string[] {
  const known = spaceChannels.get(snapshot) ?? [snapshot.space.id, ...snapshot.rooms.keys()]
  spaceChannels.set(snapshot, known)
  return known
}

/** The topics of a user, and of all that the user may view. */
export function topicsOf(
  userId: string,
  { spaces, conversationIds, deletedSpaceIds }: Subscription,
): Topic[] {
  return [
    topicOf.user(userId),
    ...spaces.flatMap(topicsOfSpace),
    ...conversationIds.map(topicOf.conversation),
    ...deletedSpaceIds.map(topicOf.space),
  ]
}

function topicsOfSpace({ member, snapshot }: SubscribedSpace): Topic[] {
  const { id } = snapshot.space
  return [topicOf.space(id), ...visibleRooms(snapshot, member).map((room) => topicOf.room(id, room.id))]
}

/** Whether the user might hear a topic when they were subscribed: of rooms, by the snapshot and the roles of then. */
export function hearingOf({ spaces }: Subscription): (topic: Topic) => boolean {
  const views = new Map(spaces.map(({ member, snapshot }) => [snapshot.space.id, viewOf(snapshot, member)]))
  const known = new Map<string, boolean>()
  return ({ kind, tenantId, channelId }) => {
    if (kind !== 'room') return true
    const mightHear = known.get(channelId) ?? views.get(tenantId)?.(channelId) === true
    known.set(channelId, mightHear)
    return mightHear
  }
}
