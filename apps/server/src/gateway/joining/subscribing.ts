import { type Topic, topicOf } from '#src/kernel/journal/bus.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { weightOf } from '#src/spaces/snapshot-weights.ts'
import { type Snapshots, type SpaceSnapshot, viewOf, visibleRooms } from '#src/spaces/snapshots.ts'
import type { KnownSpace } from '#src/spaces/state.ts'
import type { Connection } from '../connections/connection.ts'
import { seenBy } from '../connections/seen-by.ts'
import type { EventHolds } from '../fan-out/event-holds.ts'
import type { Channels } from '../fan-out/recent-events.ts'
import type { Listeners } from '../listeners/listeners.ts'
import type { Membership, MembershipsReader } from '../listeners/memberships.ts'

export interface SubscribingDeps {
  membershipsReader: MembershipsReader
  snapshots: Snapshots
  eventHolds: EventHolds
  listeners: Listeners
}

/**
 * Maximum weight of a user's spaces in READY, in rows. 40,000 rows are about 6 MB, and half a second of one core. A
 * space of maximum size has 7,000.
 */
const MAX_READY_WEIGHT = 40_000
/** Uncached spaces loaded simultaneously. Each may have 5,000 overwrites, which take 20 ms to read. */
const SPACES_AT_ONCE = 4

export interface Subscription {
  readonly spaces: readonly KnownSpace[]
  /** Spaces that do not fit into READY. They are sent one by one after it. */
  readonly lateSpaceIds: readonly string[]
  /** Total rows of `spaces`, as counted by `weightOf`. */
  readonly weight: number
  readonly conversationIds: readonly string[]
  readonly deletedSpaceIds: readonly string[]
}

/**
 * Subscribes the connection to its user's spaces and conversations, and returns them together with the user's spaces
 * deleted since the given time. It starts over if memberships or spaces change during the look-up.
 */
export async function subscribe(
  deps: SubscribingDeps,
  connection: Connection,
  caller: Caller,
  deletedSince: Date,
): Promise<Subscription> {
  const { membershipsReader, snapshots, eventHolds, listeners } = deps
  const changes = connection.membershipChanges
  const {
    spaces: memberships,
    conversationIds,
    deletedSpaceIds,
  } = await membershipsReader.read(caller.user.id, deletedSince)
  const bound = await findBound(snapshots, memberships)
  const lateSpaceIds = memberships.slice(bound.count).map(({ space_id }) => space_id)
  const due = memberships.slice(0, bound.count)
  const spaceIds = due.map((member) => member.space_id)
  await eventHolds.allEnded([...spaceIds, ...conversationIds])
  if (connection.state.name !== 'joining') return nothing
  const spaces = due.flatMap((member) => {
    const snapshot = snapshots.current(member.space_id)
    return snapshot === undefined ? [] : [{ member: seenBy(connection, member), snapshot }]
  })
  if (changes !== connection.membershipChanges || spaces.length < spaceIds.length)
    return subscribe(deps, connection, caller, deletedSince)
  for (const { member, snapshot } of spaces) listeners.addToSpace(connection, snapshot, member)
  for (const id of conversationIds) listeners.addToConversation(connection, id)
  // Memberships are read again, because the user may have left before the connection was subscribed. A snapshot may be
  // newer than the membership, and then lacks the overwrites that hid rooms from the user: leaving removes them.
  const now = await membershipsReader.read(caller.user.id, deletedSince)
  const left = spaceIds.filter((id) => !now.spaces.some(({ space_id }) => space_id === id))
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

/**
 * Returns how many spaces READY carries, at least one, and their weight. Spaces past the limit are not
 * loaded.
 */
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

/** Returns all channels of the subscription, whether or not the user may view them. */
export function channelsOf(
  userId: string,
  { spaces, conversationIds, deletedSpaceIds }: Subscription,
): Channels {
  const single = [userId, topicOf.everybody().tenantId, ...conversationIds, ...deletedSpaceIds]
  return new Map<string, Iterable<string>>([
    ...single.map((id) => [id, [id]] as const),
    ...spaces.map(({ snapshot }) => [snapshot.space.id, channelsOfSpace(snapshot)] as const),
  ])
}

/** Channel ids by snapshot, so that all connections that resume in the space share one list. */
const spaceChannels = new WeakMap<SpaceSnapshot, readonly string[]>()

function channelsOfSpace(snapshot: SpaceSnapshot): readonly string[] {
  const known = spaceChannels.get(snapshot) ?? [snapshot.space.id, ...snapshot.rooms.keys()]
  spaceChannels.set(snapshot, known)
  return known
}

/** Returns the topics of a user, and of everything the user may view. */
export function topicsOf(
  userId: string,
  { spaces, conversationIds, deletedSpaceIds }: Subscription,
): Topic[] {
  return [
    topicOf.user(userId),
    topicOf.everybody(),
    ...spaces.flatMap(topicsOfSpace),
    ...conversationIds.map(topicOf.conversation),
    ...deletedSpaceIds.map(topicOf.space),
  ]
}

function topicsOfSpace({ member, snapshot }: KnownSpace): Topic[] {
  const { id } = snapshot.space
  return [topicOf.space(id), ...visibleRooms(snapshot, member).map((room) => topicOf.room(id, room.id))]
}

/**
 * Returns a function that checks whether the user could receive a topic when the connection was subscribed. Rooms are
 * decided by the snapshot and roles of that time.
 */
export function receivableBy({ spaces }: Subscription): (topic: Topic) => boolean {
  const views = new Map(spaces.map(({ member, snapshot }) => [snapshot.space.id, viewOf(snapshot, member)]))
  const known = new Map<string, boolean>()
  return ({ kind, tenantId, channelId }) => {
    if (kind !== 'room' && kind !== 'thread') return true
    const couldReceive = known.get(channelId) ?? views.get(tenantId)?.(channelId) === true
    known.set(channelId, couldReceive)
    return couldReceive
  }
}
