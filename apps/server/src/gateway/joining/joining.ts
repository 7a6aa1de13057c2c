import type { Ready } from '@foyer/protocol/events'
import { CloseCode, type Identify, Opcode, type Resume } from '@foyer/protocol/gateway'
import { CLOCK_SKEW_MS, MAX_DELIVERY_MS } from '#src/kernel/database/database.ts'
import { encodeEvent } from '#src/kernel/database/events.ts'
import { firstIdAt, idTime, newId } from '#src/kernel/ids.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { RESUME_WINDOW_MS } from '#src/kernel/journal/journal.ts'
import { budgetOf, type Caller } from '#src/kernel/secrets/credentials.ts'
import { weightOf } from '#src/spaces/snapshot-weights.ts'
import { countUnreadThreads } from '#src/thread-rooms/lists.ts'
import type { VoiceDeps } from '#src/voice/actions/voice.ts'
import type { Connection } from '../connections/connection.ts'
import { commandFrame, dispatchFrame } from '../connections/frames.ts'
import { costOfReady, JoinCost } from '../connections/join-queue.ts'
import type { UserTurns } from '../connections/user-turns.ts'
import type { MemberLists } from '../member-lists/member-lists.ts'
import type { MemberRequestDeps } from '../member-lists/member-requests.ts'
import { appear, type PresenceDeps } from '../presence/presence.ts'
import type { KnownChannels } from '../resume/known-channels.ts'
import { type ReplayDeps, replay } from '../resume/replay.ts'
import { type AuthenticationDeps, authenticate, refuse, sessionOf } from './authentication.ts'
import { makeLargeReady, type WeightedSpace } from './large-ready.ts'
import { type LateSpacesDeps, sendLateSpaces } from './late-spaces.ts'
import { loadReady } from './ready.ts'
import {
  channelsOf,
  receivableBy,
  type SubscribingDeps,
  type Subscription,
  subscribe,
  topicsOf,
} from './subscribing.ts'

export interface JoiningDeps
  extends ReplayDeps,
    PresenceDeps,
    VoiceDeps,
    SubscribingDeps,
    LateSpacesDeps,
    MemberRequestDeps,
    AuthenticationDeps {
  /** Serializes the IDENTIFYs of each user, and of one owner's bots. */
  identifyTurns: UserTurns
  memberLists: MemberLists
  version: string
  /** Earliest position to resume from, in milliseconds since 1970: the first start after a restore. */
  resumableSince: number
}

interface Joining {
  readonly caller: Caller
  readonly presence: Identify['presence']
  /** Undefined while another IDENTIFY of the user, or of the owner's bots, is running. */
  readonly entered: Entered | undefined
}

interface Entered {
  /** Position in the journal from which the client resumes. */
  readonly position: string
  readonly subscription: Subscription
  /** True if READY is sent in the same turn as IDENTIFY. */
  readonly isSmall: boolean
}

/**
 * Handles IDENTIFY when it is the turn of the connection and of its user. Only one IDENTIFY at a time runs per user, and
 * per owner of bots.
 */
export async function identify(deps: JoiningDeps, connection: Connection, data: Identify): Promise<void> {
  connection.authenticate(data)
  const joining = await deps.joinQueue.run(JoinCost.Identify, () => begin(deps, connection, data))
  if (joining === undefined) return
  const { caller } = joining
  const { lateSpaceIds = [] } = (await finish(deps, connection, joining)) ?? {}
  await sendLateSpaces(deps, connection, caller, lateSpaceIds)
}

async function begin(
  deps: JoiningDeps,
  connection: Connection,
  data: Identify,
): Promise<Joining | undefined> {
  const { identifyTurns } = deps
  const caller = await authenticate(deps, connection, data)
  if (caller === undefined) return undefined
  if (!mayIdentify(deps, caller)) return refuseReady(connection)
  const budget = budgetOf(caller)
  const joining = { caller, presence: data.presence, entered: undefined }
  if (!identifyTurns.tryEnter(budget)) return joining
  try {
    return { ...joining, entered: await enterLive(deps, connection, joining) }
  } catch (error) {
    identifyTurns.leave(budget)
    throw error
  }
}

function mayIdentify({ connectionLimits }: JoiningDeps, caller: Caller): boolean {
  return connectionLimits?.mayIdentify(budgetOf(caller), Date.now()) ?? true
}

function refuseReady(connection: Connection): undefined {
  return refuse(connection, 'too many large READYs', CloseCode.TooFastOrTooSlow)
}

/**
 * Completes an IDENTIFY that could not be completed at once: waits for the user's other connections, and sends a large
 * READY.
 * @returns undefined if earlier connections have used up the user's budget
 */
async function finish(
  deps: JoiningDeps,
  connection: Connection,
  joining: Joining,
): Promise<Subscription | undefined> {
  const { joinQueue, identifyTurns } = deps
  const budget = budgetOf(joining.caller)
  if (joining.entered === undefined) await identifyTurns.enter(budget)
  try {
    if (joining.entered === undefined && !mayIdentify(deps, joining.caller)) return refuseReady(connection)
    const enter = () => enterLive(deps, connection, joining)
    const entered = joining.entered ?? (await joinQueue.run(JoinCost.Identify, enter))
    const { subscription, isSmall } = entered
    if (!isSmall)
      await joinQueue.run(costOfReady(subscription.weight), () => welcome(deps, connection, joining, entered))
    return subscription
  } finally {
    identifyTurns.leave(budget)
  }
}

/** Subscribes the connection to all events its user may receive. READY follows immediately, unless it is large. */
async function enterLive(deps: JoiningDeps, connection: Connection, joining: Joining): Promise<Entered> {
  const { caller } = joining
  // The position is taken before anything is read, so that no event falls in between.
  const position = newId()
  const subscription = await subscribe(deps, connection, caller, new Date())
  deps.connectionLimits?.identified(budgetOf(caller), subscription.weight, Date.now())
  const entered = { position, subscription, isSmall: costOfReady(subscription.weight) <= JoinCost.Identify }
  if (entered.isSmall) await welcome(deps, connection, joining, entered)
  return entered
}

async function welcome(
  deps: JoiningDeps,
  connection: Connection,
  { caller, presence }: Joining,
  { position, subscription, isSmall }: Entered,
): Promise<void> {
  if (connection.state.name !== 'joining') return
  const [state, presences, followed] = await Promise.all([
    loadReady(deps, caller, { connection, known: isSmall ? subscription.spaces : [] }),
    appear(deps, connection, presence),
    unreadThreads(deps, connection, caller),
  ])
  const ready = { ...state, presences, ...deps.presences.chosenBy(caller.user.id), ...followed }
  const event = { id: position, name: 'READY' }
  if (isSmall) connection.send(dispatchFrame({ ...event, data: encodeEvent('READY', ready) }))
  else
    await connection.sendLong({
      ...event,
      data: await makeLargeReady(deps.database, ready, {
        spaces: sizesOf(subscription),
        forums: connection.hasForums,
      }),
    })
  release(deps, connection)
}

/** Counts the followed threads with unread messages. Returns no field for clients that do not know threads. */
async function unreadThreads(
  deps: Pick<JoiningDeps, 'database' | 'snapshots'>,
  { hasThreads, hasForums }: Connection,
  { user }: Caller,
): Promise<Pick<Ready, 'followed_thread_count_unread'>> {
  if (!hasThreads) return {}
  return { followed_thread_count_unread: await countUnreadThreads(deps, user.id, { forums: hasForums }) }
}

function sizesOf({ spaces }: Subscription): WeightedSpace[] {
  return spaces.map(({ snapshot }) => ({ id: snapshot.space.id, weight: weightOf(snapshot) }))
}

/** Handles RESUME: replays the journal since `s`, then sends live events. Delivery is at least once. */
export async function resume(deps: JoiningDeps, connection: Connection, data: Resume): Promise<void> {
  const missedSince = idTime(data.s)
  const now = Date.now()
  const earliest = Math.max(now - RESUME_WINDOW_MS, deps.resumableSince)
  const canResume = missedSince > earliest && missedSince < now + CLOCK_SKEW_MS
  if (!canResume) return connection.send(invalidSession)
  connection.authenticate(data)
  const since = missedSince - MAX_DELIVERY_MS
  // The deletion times come from the database's clock, which may differ from this process's clock.
  const deletedSince = new Date(since - CLOCK_SKEW_MS)
  const entered = await deps.joinQueue.run(JoinCost.Resume, () => enter(deps, connection, data, deletedSince))
  if (entered === undefined) return
  const { caller, subscription } = entered
  // A replay covers no more spaces than READY. A client with more spaces identifies, and gets the others one by one after READY.
  if (subscription.lateSpaceIds.length > 0) return leave(deps, connection, caller)
  const replayed = await replay(deps, connection, {
    userId: caller.user.id,
    channels: channelsOf(caller.user.id, subscription),
    topics: () => topicsOf(caller.user.id, subscription),
    couldReceive: receivableBy(subscription),
    after: firstIdAt(since),
    lastReceived: data.s,
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
 * Sends the held events, except events of rooms, spaces and conversations that the user has left or lost since. The
 * client may already have removed them.
 */
function release({ listeners }: JoiningDeps, connection: Connection, known?: KnownChannels): void {
  const isDue = (event: Event) =>
    (known?.hasTenant(event) ?? true) &&
    (event.topic.kind === 'user' || ENDS.has(event.name) || listeners.mayReceive(connection, event))
  connection.release(isDue)
}

/** Events that remove their own recipients, who must still receive them. */
const ENDS = new Set(['SPACE_DELETE', 'ROOM_DELETE'])

/** Removes a closed connection from all lists. */
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

/** Runs the part of RESUME that needs a turn in the join queue. The replay after it goes at the client's own pace. */
async function enter(deps: JoiningDeps, connection: Connection, data: Resume, deletedSince: Date) {
  const caller = await authenticate(deps, connection, data)
  if (caller === undefined) return undefined
  return {
    caller,
    subscription: await subscribe(deps, connection, caller, deletedSince),
  }
}

/** Returns to the state before RESUME. The client will identify. */
function leave(deps: JoiningDeps, connection: Connection, caller: Caller): void {
  // A connection that has closed was already removed and uncounted when it closed.
  if (connection.state.name !== 'joining') return
  deps.listeners.removeUser(connection, caller.user.id, sessionOf(caller))
  deps.connectionLimits?.leave(caller.user.id)
  connection.wait()
  connection.send(invalidSession)
}

const invalidSession = commandFrame(Opcode.InvalidSession, false)
