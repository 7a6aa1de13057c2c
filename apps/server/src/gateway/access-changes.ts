import type { SpaceState } from '@foyer/protocol/spaces'
import type { RankedMember, Snapshots } from '#src/spaces/snapshots.ts'
import { listVoiceStates } from '#src/spaces/voice-states.ts'
import { type MissedMessages, tellMissedMessages } from './missed-messages.ts'
import { tellMissedVoices } from './missed-voices.ts'
import { type Change, proveGains } from './proved-gains.ts'
import type { Shift } from './space-listeners.ts'
import { Teller, type TellerDeps } from './teller.ts'

export interface AccessChangeDeps extends TellerDeps {
  snapshots: Snapshots
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
  if (next === undefined) {
    await new Teller(deps, spaceId).tellEnd(space.all)
    return listeners.removeSpace(spaceId)
  }
  space.setApart(next, (userId) => listeners.ofUser(userId))
  await tellShifts({ deps, space, next }, space.shifts(next))
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
  await tellShifts({ deps, space, next: space.snapshot }, shifts)
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
  const { snapshots, listeners, database } = deps
  const userId = told.member.user_id
  const [present] = await Promise.all([
    listVoiceStates(database, [told.id]),
    applyAccessChange(deps, told.id),
  ])
  const { snapshot, member } = await snapshots.findStanding(told.id, userId)
  // Who left has been taken out already, and may have come back since: then that has its own turn.
  const connections = new Set(
    [...listeners.ofUser(userId)].filter(({ entering }) => entering.delete(told.id)),
  )
  if (snapshot === undefined) return new Teller(deps, told.id).tellEnd(connections)
  // Nor is it heard by who left and of whom that is not yet known here: it comes behind.
  if (member === undefined || connections.size === 0) return
  for (const connection of connections) listeners.addToSpace(connection, snapshot, told.member)
  const space = listeners.findSpace(told.id)
  if (space === undefined) return
  const shifts = [{ connections, ...space.differenceTo(told) }]
  await tellShifts({ deps, space, next: space.snapshot }, shifts)
  tellMissedVoices(listeners, connections, { told: told.voice_states, present })
  await tellMissedMessages(deps, connections, told.id, missed)
}

async function tellShifts(
  change: Change & { readonly deps: TellerDeps },
  shifts: Iterable<Shift>,
): Promise<void> {
  const { deps, next } = change
  await new Teller(deps, next.space.id).tellShifts(proveGains(change, shifts), next)
}
