import { CloseCode, type Identify, Opcode, type Resume } from '@foyer/protocol/gateway'
import { type Event, type Topic, topicOf } from '#src/kernel/bus.ts'
import type { Caller, Credentials } from '#src/kernel/credentials.ts'
import { CLOCK_SKEW_MS, MAX_DELIVERY_MS } from '#src/kernel/database.ts'
import { encodeEvent } from '#src/kernel/events.ts'
import { firstIdAt, idTime, newId } from '#src/kernel/ids.ts'
import { RESUME_WINDOW_MS } from '#src/kernel/journal.ts'
import {
  type RankedMember,
  type Snapshots,
  type SpaceSnapshot,
  viewOf,
  visibleRooms,
} from '#src/spaces/snapshots.ts'
import type { VoiceDeps } from '#src/voice/actions.ts'
import type { BelongingsReader } from './belongings.ts'
import type { Connection } from './connection.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { commandFrame, dispatchFrame } from './frames.ts'
import { JoinCost } from './join-queue.ts'
import type { KnownChannels } from './known-channels.ts'
import type { MemberLists } from './member-lists.ts'
import { appear, type PresenceDeps } from './presence.ts'
import { loadReady } from './ready.ts'
import type { Channels } from './recent-events.ts'
import { type ReplayDeps, replay } from './replay.ts'

export interface JoiningDeps extends ReplayDeps, PresenceDeps, VoiceDeps {
  credentials: Credentials
  belongings: BelongingsReader
  snapshots: Snapshots
  memberLists: MemberLists
  /** Undefined turns the limits off. */
  connectionLimits: ConnectionLimits | undefined
  version: string
}

/** IDENTIFY, when it is the connection's turn. */
export function identify(deps: JoiningDeps, connection: Connection, data: Identify): Promise<void> {
  connection.authenticate()
  return deps.joinQueue.run(JoinCost.Identify, () => begin(deps, connection, data))
}

/** From here on the connection hears all that its user may hear, beginning with READY. */
async function begin(deps: JoiningDeps, connection: Connection, data: Identify): Promise<void> {
  const caller = await authenticate(deps, connection, data)
  if (caller === undefined) return
  // The place in the journal to resume from: made before anything is read, so that nothing falls between.
  const place = newId()
  await subscribe(deps, connection, caller, new Date())
  const [state, presences] = await Promise.all([
    loadReady(deps, caller, connection.id),
    appear(deps, connection, data.presence),
  ])
  const ready = encodeEvent('READY', { ...state, presences })
  connection.send(dispatchFrame({ id: place, name: 'READY', data: ready }))
  release(deps, connection)
}

/** RESUME: what the journal has for the user since `s`, then whatever comes. Delivery is at least once. */
export async function resume(deps: JoiningDeps, connection: Connection, data: Resume): Promise<void> {
  const missedSince = idTime(data.s)
  const now = Date.now()
  const canResume = missedSince > now - RESUME_WINDOW_MS && missedSince < now + CLOCK_SKEW_MS
  if (!canResume) return connection.send(invalidSession)
  connection.authenticate()
  const since = missedSince - MAX_DELIVERY_MS
  // Compared with the database's own clock.
  const deletedSince = new Date(since - CLOCK_SKEW_MS)
  const entered = await deps.joinQueue.run(JoinCost.Resume, () => enter(deps, connection, data, deletedSince))
  if (entered === undefined) return
  const { caller, subscription } = entered
  const replayed = await replay(deps, connection, {
    userId: caller.user.id,
    channels: channelsOf(caller.user.id, subscription),
    topics: () => topicsOf(caller.user.id, subscription),
    mightHear: hearingOf(subscription),
    after: firstIdAt(since),
    heard: data.s,
  })
  if (replayed === undefined) return leave(deps, connection, caller)
  const resumed = encodeEvent('RESUMED', {
    replayed: replayed.count,
    presences: await appear(deps, connection, data.presence),
  })
  connection.send(dispatchFrame({ id: undefined, name: 'RESUMED', data: resumed }))
  release(deps, connection, replayed.known)
}

/**
 * What happened meanwhile in a room, a space or a conversation that the user left or lost is told no more: that they did may
 * have been told already.
 */
function release({ listeners }: JoiningDeps, connection: Connection, known?: KnownChannels): void {
  const isDue = (event: Event) =>
    (known?.hasTenant(event) ?? true) &&
    (event.topic.kind === 'user' || ENDS.has(event.name) || listeners.hears(connection, event))
  connection.release(isDue)
}

/** Nobody hears any more what has ended: its end is for who did. */
const ENDS = new Set(['SPACE_DELETE', 'ROOM_DELETE'])

/** Takes a connection that is gone out of all the lists. */
export function forget(deps: JoiningDeps, connection: Connection): void {
  const { listeners, presences, watchers, memberLists, connectionLimits } = deps
  const { caller } = connection
  if (caller === undefined) return
  connectionLimits?.leave(caller.user.id)
  memberLists.leave(connection)
  presences.leave(caller.user.id, connection)
  listeners.removeUser(connection, caller.user.id, sessionOf(caller))
  watchers.leave(caller.user.id)
}

/** What a RESUME needs its turn for: the replay behind it goes at the pace of its reader. */
async function enter(deps: JoiningDeps, connection: Connection, data: Resume, deletedSince: Date) {
  const caller = await authenticate(deps, connection, data)
  if (caller === undefined) return undefined
  return { caller, subscription: await subscribe(deps, connection, caller, deletedSince) }
}

async function authenticate(
  deps: JoiningDeps,
  connection: Connection,
  data: Identify,
): Promise<Caller | undefined> {
  if (connection.state.name !== 'authenticating') return undefined
  const credential = credentialOf(connection, data)
  const caller = await deps.credentials.authenticate(credential, connection.address)
  if (connection.state.name !== 'authenticating') return undefined
  if (caller === undefined) return refuse(connection)
  if (deps.connectionLimits?.enter(caller.user.id) === false) return refuseCrowd(connection)
  connection.join(caller)
  deps.listeners.addUser(connection, caller.user.id, sessionOf(caller))
  // Asked again now that the end of the session would be heard: it may have ended in between.
  const still = await deps.credentials.authenticate(credential, connection.address)
  return still === undefined ? refuse(connection) : still
}

function refuse(connection: Connection): undefined {
  connection.close(CloseCode.CredentialRefused, 'the credential was refused')
  return undefined
}

function refuseCrowd(connection: Connection): undefined {
  connection.close(CloseCode.TooFastOrTooSlow, 'too many connections')
  return undefined
}

/** A token is a person's, with a session token besides, or a bot's alone. */
function credentialOf(connection: Connection, { token, session_token }: Identify) {
  const scheme = /^Bot /.test(token) ? '' : 'Bearer '
  return { authorization: `${scheme}${token}`, sessionToken: session_token ?? connection.sessionToken }
}

/** A bot has no sessions: its connections end with its token, under its own id. */
function sessionOf(caller: Caller): string {
  return caller.kind === 'human' ? caller.sessionId : caller.user.id
}

interface Subscription {
  readonly spaces: readonly SubscribedSpace[]
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
async function subscribe(
  deps: JoiningDeps,
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
  const spaceIds = memberships.map((member) => member.space_id)
  await Promise.all(spaceIds.map((spaceId) => snapshots.find(spaceId)))
  await gates.allOpen([...spaceIds, ...conversationIds])
  if (connection.state.name !== 'joining') return { spaces: [], conversationIds: [], deletedSpaceIds: [] }
  const spaces = memberships.flatMap((member) => {
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
    : { spaces, conversationIds, deletedSpaceIds }
}

/** The channels of all that the connection hears, whether the user may view them or not. */
function channelsOf(userId: string, { spaces, conversationIds, deletedSpaceIds }: Subscription): Channels {
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
function topicsOf(userId: string, { spaces, conversationIds, deletedSpaceIds }: Subscription): Topic[] {
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
function hearingOf({ spaces }: Subscription): (topic: Topic) => boolean {
  const views = new Map(spaces.map(({ member, snapshot }) => [snapshot.space.id, viewOf(snapshot, member)]))
  const known = new Map<string, boolean>()
  return ({ kind, tenantId, channelId }) => {
    if (kind !== 'room') return true
    const mightHear = known.get(channelId) ?? views.get(tenantId)?.(channelId) === true
    known.set(channelId, mightHear)
    return mightHear
  }
}

/** Back to where it was before RESUME: the client identifies anew. */
function leave(deps: JoiningDeps, connection: Connection, caller: Caller): void {
  // Who is gone is forgotten, and counts once.
  if (connection.state.name !== 'joining') return
  deps.listeners.removeUser(connection, caller.user.id, sessionOf(caller))
  deps.connectionLimits?.leave(caller.user.id)
  connection.wait()
  connection.send(invalidSession)
}

const invalidSession = commandFrame(Opcode.InvalidSession, false)
