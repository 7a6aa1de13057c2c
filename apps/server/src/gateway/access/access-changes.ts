import type { SpaceState } from '@foyer/protocol/spaces'
import type { RankedMember, Snapshots } from '#src/spaces/snapshots.ts'
import { listVoiceStates } from '#src/spaces/voice-states.ts'
import type { Shift } from '../listeners/space-listeners.ts'
import { AccessDispatcher, type AccessDispatcherDeps } from './access-dispatcher.ts'
import { dispatchBackfill, type MessageBackfill } from './message-backfill.ts'
import { type AccessChange, proveGains } from './proved-gains.ts'
import { dispatchVoiceStates } from './voice-backfill.ts'

export interface AccessChangeDeps extends AccessDispatcherDeps {
  snapshots: Snapshots
}

/**
 * Recomputes the recipients in the space after a change of roles, overwrites, rooms or owner, and notifies connections that
 * gained or lost rooms. The caller holds the space's events until this function is done. The snapshot may already include
 * later changes, and the events of these changes then find nothing left to do.
 */
export async function applyAccessChange(deps: AccessChangeDeps, spaceId: string): Promise<void> {
  const { snapshots, listeners } = deps
  const next = await snapshots.find(spaceId)
  const space = listeners.findSpace(spaceId)
  if (space === undefined || space.snapshot === next) return
  if (next === undefined) {
    await new AccessDispatcher(deps, spaceId).dispatchEnd(space.all)
    return listeners.removeSpace(spaceId)
  }
  space.setApart(next, (userId) => listeners.ofUser(userId))
  await dispatchShifts({ deps, space, next }, space.shifts(next))
  space.adopt(next)
}

/** Applies a change of one member's roles. */
export async function applyMemberChange(
  deps: AccessChangeDeps,
  spaceId: string,
  member: RankedMember,
): Promise<void> {
  const { listeners } = deps
  // Access changes of the space are applied first, so that a role does not show a room that has since been hidden.
  await applyAccessChange(deps, spaceId)
  const space = listeners.findSpace(spaceId)
  if (space === undefined) return
  const shifts = space.move(listeners.ofUser(member.user_id), member)
  await dispatchShifts({ deps, space, next: space.snapshot }, shifts)
}

/**
 * Subscribes a user's connections to a space whose state they have been sent. Later changes, including changes of the
 * user's own roles, are still in held events. The user is therefore subscribed with the roles in the sent state, and then
 * receives the differences between that state and the current one.
 * @param backfill messages sent after that state was read and before the connections were subscribed
 */
export async function applyJoin(
  deps: AccessChangeDeps,
  state: SpaceState,
  backfill: MessageBackfill,
): Promise<void> {
  const { snapshots, listeners, database } = deps
  const userId = state.member.user_id
  const [present] = await Promise.all([
    listVoiceStates(database, [state.id]),
    applyAccessChange(deps, state.id),
  ])
  const { snapshot, member } = await snapshots.findMembership(state.id, userId)
  // A user who left has been removed already. If they came back, that join is handled by its own event.
  const connections = new Set(
    [...listeners.ofUser(userId)].filter(({ entering }) => entering.delete(state.id)),
  )
  if (snapshot === undefined) return new AccessDispatcher(deps, state.id).dispatchEnd(connections)
  // The user has left, and this process has not received the event yet. Its SPACE_DELETE follows.
  if (member === undefined || connections.size === 0) return
  for (const connection of connections) listeners.addToSpace(connection, snapshot, state.member)
  const space = listeners.findSpace(state.id)
  if (space === undefined) return
  const shifts = space.differencesTo(state, connections)
  await dispatchShifts({ deps, space, next: space.snapshot }, shifts)
  dispatchVoiceStates(listeners, connections, { sent: state.voice_states, present })
  await dispatchBackfill(deps, connections, state.id, backfill)
}

async function dispatchShifts(
  change: AccessChange & { readonly deps: AccessDispatcherDeps },
  shifts: Iterable<Shift>,
): Promise<void> {
  const { deps, next } = change
  await new AccessDispatcher(deps, next.space.id).dispatchShifts(proveGains(change, shifts), next)
}
