import type { Database } from '#src/kernel/database/database.ts'
import { listReadStates } from '#src/messages/read-states/queries.ts'
import { weightOf } from '#src/spaces/snapshots.ts'
import { listSpaceStates } from '#src/spaces/state.ts'
import { type AccessChangeDeps, applyJoin } from '../access/access-changes.ts'
import { stateFrame } from '../access/state-frames.ts'
import type { Connection } from '../connections/connection.ts'
import type { ConnectionLimits } from '../connections/connection-limits.ts'
import { Frame } from '../connections/frames.ts'
import { JoinCost, type JoinQueue } from '../connections/join-queue.ts'
import type { UserTurns } from '../connections/user-turns.ts'
import type { Hub } from '../fan-out/hub.ts'
import { placesOf } from './ready.ts'

export interface LateSpacesDeps extends AccessChangeDeps {
  database: Database
  hub: Pick<Hub, 'changeListeners'>
  joinQueue: JoinQueue
  lateTurns: UserTurns
  /** Undefined disables the limits. */
  connectionLimits: ConnectionLimits | undefined
}

/**
 * Sends the spaces that did not fit into READY, each with its read states, one by one as the client reads.
 * Each send also subscribes the connection to the space. A user has one connection at a time served like
 * this.
 */
export async function sendLateSpaces(
  deps: LateSpacesDeps,
  connection: Connection,
  userId: string,
  spaceIds: readonly string[],
): Promise<void> {
  if (spaceIds.length === 0) return
  await deps.lateTurns.enter(userId)
  try {
    for (const spaceId of spaceIds) await sendInTurn(deps, connection, userId, spaceId)
  } finally {
    deps.lateTurns.leave(userId)
  }
}

async function sendInTurn(
  deps: LateSpacesDeps,
  connection: Connection,
  userId: string,
  spaceId: string,
): Promise<void> {
  if (connection.state.name !== 'ready') return
  const send = () => sendSpace(deps, connection, userId, spaceId)
  await deps.joinQueue.run(JoinCost.Identify, () => deps.hub.changeListeners(spaceId, connection, send))
  await connection.drained()
}

/**
 * Runs while the space's events are held. None is lost; an event the state already includes may be sent
 * again.
 */
async function sendSpace(
  deps: LateSpacesDeps,
  connection: Connection,
  userId: string,
  spaceId: string,
): Promise<void> {
  // The connection is already subscribed if the user has just joined. Leaving removes the space from
  // `entering`.
  const isSubscribed = connection.spaces.has(spaceId)
  if (!isSubscribed) connection.entering.add(spaceId)
  const { bulk } = deps.database
  const [state] = await listSpaceStates(bulk, userId, [spaceId])
  if (state === undefined) return void connection.entering.delete(spaceId)
  deps.connectionLimits?.identified(userId, weightOf(await deps.snapshots.find(spaceId)), Date.now())
  const reads = await listReadStates(bulk, userId, placesOf(state))
  const created = stateFrame('SPACE_CREATE', state)
  await connection.prepare(created)
  connection.send(Frame.concat([created, ...reads.map((read) => stateFrame('MESSAGE_ACK', read))]))
  if (!isSubscribed) await applyJoin(deps, state, { gaps: [], since: '' })
}
