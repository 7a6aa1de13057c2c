import type { Database } from '#src/kernel/database/database.ts'
import { budgetOf, type Caller } from '#src/kernel/secrets/credentials.ts'
import { listReadStates } from '#src/messages/read-states/queries.ts'
import { weightOf } from '#src/spaces/snapshot-weights.ts'
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
 * Sends the spaces that did not fit into READY, each with its read states, one by one as the client reads. Each send
 * also subscribes the connection to the space. Per user, and per owner of bots, only one connection at a time gets its
 * spaces.
 */
export async function sendLateSpaces(
  deps: LateSpacesDeps,
  connection: Connection,
  caller: Caller,
  spaceIds: readonly string[],
): Promise<void> {
  if (spaceIds.length === 0) return
  const budget = budgetOf(caller)
  await deps.lateTurns.enter(budget)
  try {
    for (const spaceId of spaceIds) await sendInTurn(deps, connection, caller, spaceId)
  } finally {
    deps.lateTurns.leave(budget)
  }
}

async function sendInTurn(
  deps: LateSpacesDeps,
  connection: Connection,
  caller: Caller,
  spaceId: string,
): Promise<void> {
  if (connection.state.name !== 'ready') return
  const send = () => sendSpace(deps, connection, caller, spaceId)
  await deps.joinQueue.run(JoinCost.Identify, () => deps.hub.changeListeners(spaceId, connection, send))
  await connection.drained()
}

/** Sends a space while its events are held. No event is lost; an event that the sent state includes may be sent again. */
async function sendSpace(
  deps: LateSpacesDeps,
  connection: Connection,
  caller: Caller,
  spaceId: string,
): Promise<void> {
  // The connection is already subscribed if the user has just joined. Leaving removes the space from
  // `entering`.
  const isSubscribed = connection.spaces.has(spaceId)
  if (!isSubscribed) connection.entering.add(spaceId)
  const { bulk } = deps.database
  const [state] = await listSpaceStates(bulk, caller.user.id, [spaceId], { forums: connection.hasForums })
  if (state === undefined) return void connection.entering.delete(spaceId)
  const weight = weightOf(await deps.snapshots.find(spaceId))
  deps.connectionLimits?.identified(budgetOf(caller), weight, Date.now())
  const reads = await listReadStates(bulk, caller.user.id, placesOf(state))
  const created = stateFrame('SPACE_CREATE', state)
  await connection.prepare(created)
  connection.send(Frame.concat([created, ...reads.map((read) => stateFrame('MESSAGE_ACK', read))]))
  if (!isSubscribed) await applyJoin(deps, state, { gaps: [], since: '' })
}
