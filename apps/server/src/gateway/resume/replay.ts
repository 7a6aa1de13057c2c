import { conversationOf } from '#src/conversations/facts.ts'
import { listConversations } from '#src/conversations/queries.ts'
import { CLOCK_SKEW_MS, type Database } from '#src/kernel/database/database.ts'
import { firstIdAt, idTime } from '#src/kernel/ids.ts'
import type { Bus, Topic } from '#src/kernel/journal/bus.ts'
import { type JournaledEvent, listEvents, type ReplayRange } from '#src/kernel/journal/journal.ts'
import { listSpaceStates } from '#src/spaces/state.ts'
import { inSeqOrder } from '../access/message-seq.ts'
import { stateFrame } from '../access/state-frames.ts'
import { lateVoiceFrames } from '../access/voice-backfill.ts'
import type { Connection } from '../connections/connection.ts'
import { dispatchFrame, type Frame } from '../connections/frames.ts'
import { JoinCost, type JoinQueue } from '../connections/join-queue.ts'
import { askersOf, isAmong } from '../connections/thread-events.ts'
import type { EventHolds } from '../fan-out/event-holds.ts'
import type { Channels, RecentEventsReader } from '../fan-out/recent-events.ts'
import type { Listeners } from '../listeners/listeners.ts'
import { KnownChannels } from './known-channels.ts'
import { cutPage, lookaheadOf } from './page-cut.ts'
import {
  isEnd,
  isOfEndedThread,
  isResent,
  type ReplaySurvey,
  surveyEvents,
  surveyJournal,
} from './replay-survey.ts'

export interface ReplayDeps {
  bus: Bus
  database: Database
  recentEvents: RecentEventsReader
  joinQueue: JoinQueue
  listeners: Listeners
  eventHolds: EventHolds
}

const REPLAY_PAGE = 500
/** Events per burst. Before the next one, the client must have read them, and its access is checked again. */
const REPLAY_BURST = 50
/** Maximum events to replay. With more, a READY is faster. */
const MAX_REPLAY = 20_000
/**
 * Clients that were away for longer do not share their journal reads with others, because few return at the same time.
 */
const RECENT_MS = 10 * 60 * 1000

/** A resuming connection, and what it has received. */
export interface ReplayRequest {
  readonly userId: string
  /** Channels of the user, of the user's spaces and conversations, and of spaces deleted since. */
  readonly channels: Channels
  /** Returns the topics that the user may receive. Called only if the connection reads pages of its own. */
  readonly topics: () => readonly Topic[]
  /**
   * Returns whether the user could receive the topic when the connection was subscribed. A room gained later
   * is sent live.
   */
  readonly couldReceive: (topic: Topic) => boolean
  /** Journal position, exclusive. */
  readonly after: string
  /** The last id the client received. Older events are replayed in case they were late. */
  readonly lastReceived: string
}

export interface Replayed {
  /** Number of events sent. */
  readonly count: number
  readonly known: KnownChannels
}

/** The result of resending changed spaces and conversations, needed to send the events after it. */
interface Prepared extends Replayed {
  readonly endedThreads: ReadonlySet<string>
}

/**
 * Sends the journaled events at the client's pace. The connection must be subscribed to its spaces already: later changes
 * are sent live.
 * @returns undefined if there are too many events; nothing has been sent then
 */
export async function replay(
  deps: ReplayDeps,
  connection: Connection,
  resuming: ReplayRequest,
): Promise<Replayed | undefined> {
  const recent = await readRecent(deps, resuming)
  if (recent === undefined) return replayPages(deps, connection, resuming)
  const mayReplay = stillReceives(deps, connection, resuming)
  const concerning = recent.filter(({ topic }) => isOfAll(topic) || mayReplay(topic))
  const survey = surveyEvents(concerning, resuming.userId, resuming.lastReceived)
  const prepared = await resend(deps, connection, resuming, survey)
  const sent = await sendPage(deps, connection, { ...resuming, ...prepared }, recent)
  return { count: prepared.count + sent, known: prepared.known }
}

/**
 * Returns the events from a read shared with other connections; undefined if there are too many, or the client was
 * away for long.
 */
async function readRecent({ recentEvents }: ReplayDeps, { channels, after }: ReplayRequest) {
  if (idTime(after) < Date.now() - RECENT_MS) return undefined
  const recent = await recentEvents.read(channels, after)
  return recent.of([...channels.keys()], after)
}

/**
 * Returns a function that checks whether events of a topic may be replayed: the user could receive them when subscribed,
 * and still may.
 */
function stillReceives({ listeners }: ReplayDeps, connection: Connection, { couldReceive }: ReplayRequest) {
  return (topic: Topic) => couldReceive(topic) && listeners.mayReceive(connection, { topic, audience: 0 })
}

function isOfAll({ tenantId, channelId }: Topic): boolean {
  return tenantId === channelId
}

async function replayPages(
  deps: ReplayDeps,
  connection: Connection,
  resuming: ReplayRequest,
): Promise<Replayed | undefined> {
  const { database, joinQueue } = deps
  // Events published from now on are received live.
  const before = firstIdAt(Date.now() + CLOCK_SKEW_MS)
  const { hasThreads } = connection
  const range = { ...resuming, topics: resuming.topics(), before, hasThreads }
  const survey = await joinQueue.run(JoinCost.Page, () =>
    surveyJournal(database, resuming.userId, range, MAX_REPLAY + 1),
  )
  if (survey.count > MAX_REPLAY) return undefined
  const prepared = await resend(deps, connection, resuming, survey)
  let { count } = prepared
  let rest: ReplayRange = { ...range, before: lookaheadOf(before) }
  while (connection.state.name === 'joining') {
    const page = await readPage(deps, rest)
    const { due, last } = cutPage(page, { isFull: page.length === REPLAY_PAGE, before })
    count += await sendPage(deps, connection, { ...resuming, ...prepared }, due)
    if (last === undefined) break
    rest = { ...rest, after: last.id }
  }
  return { count, known: prepared.known }
}

function readPage({ database, joinQueue }: ReplayDeps, range: ReplayRange): Promise<JournaledEvent[]> {
  return joinQueue.run(JoinCost.Page, () => listEvents(database, range, REPLAY_PAGE))
}

/**
 * Resends changed spaces and conversations before the events that follow, because the client may not know the rooms and
 * conversations of these events.
 */
async function resend(
  deps: ReplayDeps,
  connection: Connection,
  resuming: ReplayRequest,
  survey: ReplaySurvey,
): Promise<Prepared> {
  const { database } = deps
  const { userId, channels, couldReceive } = resuming
  const changed = subscribedOf(survey, channels)
  const { changed_spaces, changed_conversations, late_voices } = changed
  const [spaces, conversations, late] = await Promise.all([
    changed_spaces.length === 0
      ? []
      : listSpaceStates(database, userId, changed_spaces, { forums: connection.hasForums }),
    changed_conversations.length === 0 ? [] : listConversations(database, userId, changed_conversations),
    lateVoiceFrames(database, late_voices, stillReceives(deps, connection, resuming)),
  ])
  const count = await sendBurst(connection, [
    ...spaces.map((state) => stateFrame('SPACE_CREATE', state)),
    ...conversations.map((state) => stateFrame('CONVERSATION_CREATE', state)),
    ...late,
  ])
  const known = new KnownChannels(changed, { spaces, conversations }, couldReceive)
  return { count, known, endedThreads: new Set(changed.ended_threads) }
}

/** Leaves out spaces and conversations the user entered since the connection was subscribed: these are received live. */
function subscribedOf(survey: ReplaySurvey, channels: Channels): ReplaySurvey {
  const subscribed = (ids: readonly string[]) => ids.filter((id) => channels.has(id))
  return {
    ...survey,
    changed_spaces: subscribed(survey.changed_spaces),
    changed_conversations: subscribed(survey.changed_conversations),
  }
}

/** Checks access before each burst: rooms may have been hidden while the client read the previous one. */
async function sendPage(
  deps: ReplayDeps,
  connection: Connection,
  resuming: ReplayRequest & Prepared,
  events: readonly JournaledEvent[],
): Promise<number> {
  const { userId, lastReceived, channels, known, endedThreads } = resuming
  const isDue = (event: JournaledEvent) =>
    !isResent(event, userId, lastReceived) &&
    isAmong(connection, askersOf(event)) &&
    !isOldCount(event, lastReceived, known) &&
    !isOfEndedThread(event, endedThreads) &&
    (isEnd(event) ? isLastEnd(connection, channels, event) : deps.listeners.mayReceive(connection, event)) &&
    known.has(event)
  const page = inSeqOrder(events)
  let sent = 0
  for (let from = 0; from < page.length; from += REPLAY_BURST) {
    await upToDate(deps, connection)
    const due = page.slice(from, from + REPLAY_BURST).filter(isDue)
    const frames = due.map((event) => frameOfEvent(event, lastReceived))
    sent += await sendBurst(connection, frames)
  }
  return sent
}

/**
 * Waits until this process has received everything in the journal. Until then it is unknown who lost access.
 */
async function upToDate({ bus, eventHolds }: ReplayDeps, connection: Connection): Promise<void> {
  do {
    await bus.freshness.held()
    await eventHolds.allEnded(connection.spaces)
  } while (!bus.freshness.isHeld)
}

/** Returns true for an event with an outdated member count: a resent space already has the latest one. */
function isOldCount(
  { id, name, topic }: JournaledEvent,
  lastReceived: string,
  known: KnownChannels,
): boolean {
  return (
    id <= lastReceived &&
    known.isResent(topic.tenantId) &&
    (name === 'SPACE_MEMBER_CREATE' || name === 'SPACE_MEMBER_DELETE')
  )
}

const frames = new WeakMap<JournaledEvent, Frame>()

/**
 * Returns a frame that is encoded once for all connections. The end of a space or conversation is sent as a state,
 * without a position: this process may later receive its beginning and then its end again, and clients must not drop that
 * end as a duplicate.
 */
function frameOfEvent(event: JournaledEvent, lastReceived: string): Frame {
  if (isEnd(event) && event.id > lastReceived) return dispatchFrame({ ...event, id: undefined })
  const known = frames.get(event) ?? dispatchFrame(event)
  frames.set(event, known)
  return known
}

/**
 * Returns false if the user came back to the space or conversation before the connection subscribed, and is still in it: its
 * missed events are replayed. If the user came back later, the end is sent, and live events follow.
 */
function isLastEnd(
  { spaces, conversations }: Connection,
  channels: Channels,
  event: JournaledEvent,
): boolean {
  const id = event.name === 'SPACE_DELETE' ? deletedSpaceOf(event) : conversationOf(event)
  const isIn = spaces.has(id) || conversations.has(id)
  return !(channels.has(id) && isIn)
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
