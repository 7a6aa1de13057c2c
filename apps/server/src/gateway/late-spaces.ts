import type { Database } from '#src/kernel/database.ts'
import { listReadStates } from '#src/messages/read-states/queries.ts'
import { weightOf } from '#src/spaces/snapshots.ts'
import { listSpaceStates } from '#src/spaces/state.ts'
import { type AccessChangeDeps, applyEntrance } from './access-changes.ts'
import type { Connection } from './connection.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import { Frame } from './frames.ts'
import type { Hub } from './hub.ts'
import { JoinCost, type JoinQueue } from './join-queue.ts'
import { placesOf } from './ready.ts'
import { frameOf } from './told-frames.ts'
import type { UserTurns } from './user-turns.ts'

export interface LateSpacesDeps extends AccessChangeDeps {
  database: Database
  hub: Pick<Hub, 'changeListeners'>
  joinQueue: JoinQueue
  lateTurns: UserTurns
  /** Undefined turns the limits off. */
  connectionLimits: ConnectionLimits | undefined
}

/**
 * Sends the spaces that READY had no room for, one after the other as the client reads, each with its read states. The
 * connection hears each of them from there on. A user is sent them on one connection at a time.
 */
export async function tellLateSpaces(
  deps: LateSpacesDeps,
  connection: Connection,
  userId: string,
  spaceIds: readonly string[],
): Promise<void> {
  if (spaceIds.length === 0) return
  await deps.lateTurns.enter(userId)
  try {
    for (const spaceId of spaceIds) await tellInTurn(deps, connection, userId, spaceId)
  } finally {
    deps.lateTurns.leave(userId)
  }
}

async function tellInTurn(
  deps: LateSpacesDeps,
  connection: Connection,
  userId: string,
  spaceId: string,
): Promise<void> {
  if (connection.state.name !== 'ready') return
  const tell = () => tellSpace(deps, connection, userId, spaceId)
  await deps.joinQueue.run(JoinCost.Identify, () => deps.hub.changeListeners(spaceId, connection, tell))
  await connection.drained()
}

/** The space's events wait meanwhile: none is missed, and those that the state has already may be told again. */
async function tellSpace(
  deps: LateSpacesDeps,
  connection: Connection,
  userId: string,
  spaceId: string,
): Promise<void> {
  // It hears the space already where its user joined it meanwhile. Whoever leaves is taken out of `entering`.
  const isHeard = connection.spaces.has(spaceId)
  if (!isHeard) connection.entering.add(spaceId)
  const { bulk } = deps.database
  const [state] = await listSpaceStates(bulk, userId, [spaceId])
  if (state === undefined) return void connection.entering.delete(spaceId)
  deps.connectionLimits?.identified(userId, weightOf(await deps.snapshots.find(spaceId)), Date.now())
  const reads = await listReadStates(bulk, userId, placesOf(state))
  const created = frameOf('SPACE_CREATE', state)
  await connection.prepare(created)
  connection.send(Frame.concat([created, ...reads.map((read) => frameOf('MESSAGE_ACK', read))]))
  if (!isHeard) await applyEntrance(deps, state, { gaps: [], since: '' })
}
