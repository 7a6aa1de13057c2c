import { conversationOf } from '#src/conversations/facts.ts'
import { listConversations } from '#src/conversations/queries.ts'
import type { Bus, Topic } from '#src/kernel/bus.ts'
import { CLOCK_SKEW_MS, type Database } from '#src/kernel/database.ts'
import { firstIdAt, idTime } from '#src/kernel/ids.ts'
import { type JournaledEvent, listEvents, type ReplayRange } from '#src/kernel/journal.ts'
import { listSpaceStates } from '#src/spaces/state.ts'
import type { Connection } from './connection.ts'
import { dispatchFrame, type Frame } from './frames.ts'
import type { Gates } from './gates.ts'
import { JoinCost, type JoinQueue } from './join-queue.ts'
import { KnownChannels } from './known-channels.ts'
import type { Listeners } from './listeners.ts'
import { countTellable, inSeqOrder } from './message-seq.ts'
import { isEnd, isToldAnew, type Missed, surveyEvents, surveyMissed } from './missed.ts'
import { framesOfLate } from './missed-voices.ts'
import type { Channels, RecentEventsReader } from './recent-events.ts'
import { frameOf } from './told-frames.ts'

export interface ReplayDeps {
  bus: Bus
  database: Database
  recentEvents: RecentEventsReader
  joinQueue: JoinQueue
  listeners: Listeners
  gates: Gates
}

const REPLAY_PAGE = 500
/** Between two looks at whether the client has read what it was sent, and at what it may still hear. */
const REPLAY_BURST = 50
/** Whoever missed more than this is sooner up to date with a READY. */
const MAX_REPLAY = 20_000
/** Whoever was away for longer reads the journal alone: few come back at the same time after that. */
const RECENT_MS = 10 * 60 * 1000

/** A connection that comes back, and what it heard of what. */
export interface Absence {
  readonly userId: string
  /** Of the user, their spaces, conversations, and the spaces that were deleted meanwhile. */
  readonly channels: Channels
  /** The channels that the user may hear, one by one. */
  readonly topics: () => readonly Topic[]
  /** Whether the user might hear it when the connection began to: a room that is given to them later is told live. */
  readonly mightHear: (topic: Topic) => boolean
  /** Exclusive. */
  readonly after: string
  /** The last id that the client has heard: what is older is replayed in case that it came late. */
  readonly heard: string
}

export interface Replayed {
  /** Events that were sent. */
  readonly count: number
  readonly known: KnownChannels
}

/**
 * Sends what the journal has, as the client reads. The connection must hear its spaces already: what changes from here on
 * is told live.
 * @returns undefined when it is too much, and nothing was sent
 */
export async function replay(
  deps: ReplayDeps,
  connection: Connection,
  absence: Absence,
): Promise<Replayed | undefined> {
  const recent = await readRecent(deps, absence)
  if (recent === undefined) return replayPages(deps, connection, absence)
  const isHeard = hearsStill(deps, connection, absence)
  const concerning = recent.filter(({ topic }) => isOfAll(topic) || isHeard(topic))
  const missed = surveyEvents(concerning, absence.userId, absence.heard)
  const { count, known } = await tellAnew(deps, connection, absence, missed)
  return { count: count + (await sendPage(deps, connection, { ...absence, known }, recent)), known }
}

/** Undefined when there is more than is read for many at once. */
async function readRecent({ recentEvents }: ReplayDeps, { channels, after }: Absence) {
  if (idTime(after) < Date.now() - RECENT_MS) return undefined
  const recent = await recentEvents.read(channels, after)
  return recent.of([...channels.keys()], after)
}

/** Whether what happened there may be replayed: the user might hear it when the connection began to, and may now. */
function hearsStill({ listeners }: ReplayDeps, connection: Connection, { mightHear }: Absence) {
  return (topic: Topic) => mightHear(topic) && listeners.hears(connection, { topic, audience: 0 })
}

function isOfAll({ tenantId, channelId }: Topic): boolean {
  return tenantId === channelId
}

async function replayPages(
  deps: ReplayDeps,
  connection: Connection,
  absence: Absence,
): Promise<Replayed | undefined> {
  const { database, joinQueue } = deps
  // What is published from now on is heard live.
  const before = firstIdAt(Date.now() + CLOCK_SKEW_MS)
  const range = { ...absence, topics: absence.topics(), before }
  const missed = await joinQueue.run(JoinCost.Page, () =>
    surveyMissed(database, absence.userId, range, MAX_REPLAY + 1),
  )
  if (missed.count > MAX_REPLAY) return undefined
  const told = await tellAnew(deps, connection, absence, missed)
  const { known } = told
  let { count } = told
  let rest: ReplayRange = range
  while (connection.state.name === 'joining') {
    const page = await readPage(deps, rest)
    const { due, last } = page.length < REPLAY_PAGE ? { due: page, last: undefined } : cutBetween(page)
    count += await sendPage(deps, connection, { ...absence, known }, due)
    if (last === undefined) break
    rest = { ...rest, after: last.id }
  }
  return { count, known }
}

function readPage({ database, joinQueue }: ReplayDeps, range: ReplayRange): Promise<JournaledEvent[]> {
  return joinQueue.run(JoinCost.Page, () => listEvents(database, range, REPLAY_PAGE))
}

/** Messages whose order is not that of their ids are at most this far from each other: the earlier one must not be on a later page. */
const MAX_DISORDER_MS = 2000

function cutBetween(page: readonly JournaledEvent[]): {
  due: readonly JournaledEvent[]
  last: JournaledEvent | undefined
} {
  const end = idTime(page.at(-1)?.id ?? '') - MAX_DISORDER_MS
  const old = page.filter(({ id }) => idTime(id) < end).length
  const due = page.slice(0, countTellable(page, old))
  return due.length === 0 ? { due: page, last: page.at(-1) } : { due, last: due.at(-1) }
}

/** Before anything that happened there: the client may not know the rooms and conversations that it happened in. */
async function tellAnew(
  deps: ReplayDeps,
  connection: Connection,
  absence: Absence,
  missed: Missed,
): Promise<Replayed> {
  const { database } = deps
  const { userId, mightHear } = absence
  const { changed_spaces, changed_conversations, late_voices } = missed
  const [spaces, conversations, late] = await Promise.all([
    changed_spaces.length === 0 ? [] : listSpaceStates(database, userId, changed_spaces),
    changed_conversations.length === 0 ? [] : listConversations(database, userId, changed_conversations),
    framesOfLate(database, late_voices, hearsStill(deps, connection, absence)),
  ])
  const count = await sendBurst(connection, [
    ...spaces.map((state) => frameOf('SPACE_CREATE', state)),
    ...conversations.map((state) => frameOf('CONVERSATION_CREATE', state)),
    ...late,
  ])
  return { count, known: new KnownChannels(missed, { spaces, conversations }, mightHear) }
}

/** What the connection may hear as of each burst: while the client read the one before, rooms may have been hidden. */
async function sendPage(
  deps: ReplayDeps,
  connection: Connection,
  { userId, heard, known }: Absence & { known: KnownChannels },
  events: readonly JournaledEvent[],
): Promise<number> {
  const isDue = (event: JournaledEvent) =>
    !isToldAnew(event, userId, heard) &&
    !isOldCount(event, heard, known) &&
    mayHear(deps.listeners, connection, event) &&
    known.has(event)
  const page = inSeqOrder(events)
  let sent = 0
  for (let from = 0; from < page.length; from += REPLAY_BURST) {
    await upToDate(deps, connection)
    const due = page.slice(from, from + REPLAY_BURST).filter(isDue)
    const frames = due.map((event) => frameOfEvent(event, heard))
    sent += await sendBurst(connection, frames)
  }
  return sent
}

/**
 * The journal may be ahead of what this process has heard: while it is not known who lost what, nothing is told from it.
 */
async function upToDate({ bus, gates }: ReplayDeps, connection: Connection): Promise<void> {
  do {
    await bus.freshness.held()
    await gates.allOpen(connection.spaces)
  } while (!bus.freshness.isHeld)
}

/** A space that is told anew has the latest number of members. */
function isOldCount({ id, name, topic }: JournaledEvent, heard: string, known: KnownChannels): boolean {
  return (
    id <= heard &&
    known.isToldAnew(topic.tenantId) &&
    (name === 'SPACE_MEMBER_CREATE' || name === 'SPACE_MEMBER_DELETE')
  )
}

const frames = new WeakMap<JournaledEvent, Frame>()

/**
 * Events that were read for many are encoded once. That something ended is told for what it is now: its beginning may be heard
 * here only after that, and then the end once more, which must be no duplicate.
 */
function frameOfEvent(event: JournaledEvent, heard: string): Frame {
  if (isEnd(event) && event.id > heard) return dispatchFrame({ ...event, id: undefined })
  const known = frames.get(event) ?? dispatchFrame(event)
  frames.set(event, known)
  return known
}

function mayHear(listeners: Listeners, connection: Connection, event: JournaledEvent): boolean {
  if (event.name === 'SPACE_DELETE') return !connection.spaces.has(deletedSpaceOf(event))
  // One that is listed again has been told anew, or is told behind the replay.
  if (event.name === 'CONVERSATION_DELETE') return !connection.conversations.has(conversationOf(event))
  return listeners.hears(connection, event)
}

function deletedSpaceOf({ data }: JournaledEvent): string {
  const { space_id }: { space_id: string } = JSON.parse(data)
  return space_id
}

async function sendBurst(connection: Connection, frames: readonly Frame[]): Promise<number> {
  for (const frame of frames) connection.send(frame)
  await connection.drained()
  return frames.length
}
