import { type Topic, topicOf } from '#src/kernel/bus.ts'
import type { Caller } from '#src/kernel/credentials.ts'
import type { Database } from '#src/kernel/database.ts'
import { encodeEvent } from '#src/kernel/events.ts'
import { firstIdAt } from '#src/kernel/ids.ts'
import { type JournaledEvent, listEvents } from '#src/kernel/journal.ts'
import { listSpaceStates } from '#src/spaces/state.ts'
import type { Connection } from './connection.ts'
import { dispatchFrame, type Frame } from './frames.ts'
import type { Gates } from './gates.ts'
import type { Listeners } from './listeners.ts'

export interface ReplayDeps {
  database: Database
  listeners: Listeners
  gates: Gates
}

export interface Replay {
  caller: Caller
  topics: readonly Topic[]
  /** Milliseconds since 1970. */
  since: number
}

const REPLAY_PAGE = 500
/** Between two looks at whether the client has read what it was sent. */
const REPLAY_BURST = 50
/** Whoever missed more than this is sooner up to date with a READY. */
const MAX_REPLAY = 20_000

/** Sends what the journal has, page by page as the client reads. Undefined when it is too much. */
export async function replay(
  deps: ReplayDeps,
  connection: Connection,
  { caller, topics, since }: Replay,
): Promise<number | undefined> {
  let after = firstIdAt(since)
  let replayed = 0
  while (replayed < MAX_REPLAY && connection.state.name === 'joining') {
    const page = await listEvents(deps.database, { topics, after, limit: REPLAY_PAGE })
    const frames = await framesOf(deps, connection, { caller, page })
    await sendInBursts(connection, frames)
    replayed += frames.length
    const last = page.at(-1)
    if (last === undefined || page.length < REPLAY_PAGE) return replayed
    after = last.id
  }
  return undefined
}

/**
 * What the connection may hear of the page as of now: while it was read, rooms may have been hidden. A space whose rooms
 * the client may see others of than it did is told anew, as a whole, in the place of the first event that says so.
 */
async function framesOf(
  { database, listeners, gates }: ReplayDeps,
  connection: Connection,
  { caller, page }: { caller: Caller; page: readonly JournaledEvent[] },
): Promise<Frame[]> {
  const userId = caller.user.id
  const changed = new Set(page.flatMap((event) => changedSpaceOf(event, userId) ?? []))
  const states = changed.size === 0 ? [] : await listSpaceStates(database, userId, [...changed])
  const anew = new Map(states.map((state) => [state.id, state]))
  await gates.allOpen(connection.spaces)
  return page.flatMap((event) => {
    const state = anew.get(changedSpaceOf(event, userId) ?? '')
    if (state !== undefined) anew.delete(state.id)
    const told = state && dispatchFrame({ ...spaceCreate, data: encodeEvent('SPACE_CREATE', state) })
    const frame = mayHear(listeners, connection, event) ? dispatchFrame(event) : undefined
    return [told, frame].filter((each) => each !== undefined)
  })
}

/** It stands for a state, not for one event: without a place of its own no client takes it for a duplicate. */
const spaceCreate = { id: undefined, name: 'SPACE_CREATE' }

/** The space of which the user may see other rooms since the event. */
function changedSpaceOf({ topic, name, data }: JournaledEvent, userId: string): string | undefined {
  if (topic.kind === 'access') return topic.tenantId
  if (name !== 'SPACE_CREATE' && name !== 'SPACE_MEMBER_UPDATE') return undefined
  const subject: { id: string } = JSON.parse(data)
  if (name === 'SPACE_CREATE') return subject.id
  return subject.id === userId ? topic.tenantId : undefined
}

function mayHear(listeners: Listeners, connection: Connection, event: JournaledEvent): boolean {
  if (event.name === 'SPACE_CREATE') return false
  if (event.name === 'SPACE_DELETE') return !connection.spaces.has(deletedSpaceOf(event))
  return listeners.hears(connection, event)
}

function deletedSpaceOf({ data }: JournaledEvent): string {
  const { space_id }: { space_id: string } = JSON.parse(data)
  return space_id
}

async function sendInBursts(connection: Connection, frames: readonly Frame[]): Promise<void> {
  for (const [index, frame] of frames.entries()) {
    connection.send(frame)
    if (index % REPLAY_BURST === REPLAY_BURST - 1) await connection.drained()
  }
}

/** The topics of a space and its rooms. */
export function topicsOf(spaceId: string, rooms: readonly { id: string }[]): Topic[] {
  return [topicOf.space(spaceId), ...rooms.map((room) => topicOf.room(spaceId, room.id))]
}
