import type { SpaceState } from '@foyer/protocol/spaces'
import type { RankedMember, Snapshots } from '#src/spaces/snapshots.ts'
import type { Listeners } from './listeners.ts'
import { type MissedMessages, tellMissedMessages } from './missed-messages.ts'
import { Teller, type TellerDeps } from './teller.ts'

export interface AccessChangeDeps extends TellerDeps {
  snapshots: Snapshots
  listeners: Listeners
}

/**
 * Works out who hears the space now that its roles, overwrites, rooms or owner changed, and tells who gained or lost
 * rooms by it. The space's events must wait meanwhile. The space may be further by now than the change: its later events
 * find nothing left to do then.
 */
export async function applyAccessChange(deps: AccessChangeDeps, spaceId: string): Promise<void> {
  const { snapshots, listeners } = deps
  const next = await snapshots.find(spaceId)
  const space = listeners.findSpace(spaceId)
  if (space === undefined || space.snapshot === next) return
  const teller = new Teller(deps, spaceId)
  if (next === undefined) {
    await teller.tellEnd(space.all)
    return listeners.removeSpace(spaceId)
  }
  space.setApart(next, (userId) => listeners.ofUser(userId))
  await teller.tellShifts(space.shifts(next), next)
  space.adopt(next)
}

/** The same for a member whose roles changed. */
export async function applyMemberChange(
  deps: AccessChangeDeps,
  spaceId: string,
  member: RankedMember,
): Promise<void> {
  const { listeners } = deps
  // First the rest: a room that is hidden by now must not be shown for the sake of a role.
  await applyAccessChange(deps, spaceId)
  const space = listeners.findSpace(spaceId)
  if (space === undefined) return
  const shifts = space.move(listeners.ofUser(member.user_id), member)
  await new Teller(deps, spaceId).tellShifts(shifts, space.snapshot)
}

/**
 * Has a user's connections hear the space that they were told. What changed behind it, roles of the user's too, has
 * events that wait: so the user counts as what was told, and is told whatever is otherwise already.
 * @param missed what was said before the connections heard the space, and behind what they were told
 */
export async function applyEntrance(
  deps: AccessChangeDeps,
  told: SpaceState,
  missed: MissedMessages,
): Promise<void> {
  const { snapshots, listeners } = deps
  const userId = told.member.user_id
  const [member] = await Promise.all([
    snapshots.findMember(told.id, userId),
    applyAccessChange(deps, told.id),
  ])
  const snapshot = await snapshots.find(told.id)
  const connections = listeners.ofUser(userId)
  if (snapshot === undefined) return new Teller(deps, told.id).tellEnd(connections)
  // Who left meanwhile keeps nothing: that they did comes behind.
  if (member === undefined) return
  for (const connection of connections) listeners.addToSpace(connection, snapshot, told.member)
  const space = listeners.findSpace(told.id)
  if (space === undefined) return
  await new Teller(deps, told.id).tellShifts([{ connections, ...space.differenceTo(told) }], space.snapshot)
  await tellMissedMessages(deps, connections, told.id, missed)
}
