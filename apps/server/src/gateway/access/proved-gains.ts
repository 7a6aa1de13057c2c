import { CloseCode } from '@foyer/protocol/gateway'
import type { Member } from '@foyer/protocol/members'
import type { Database } from '#src/kernel/database/database.ts'
import { findMembers } from '#src/spaces/queries.ts'
import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'
import type { Connection } from '../connections/connection.ts'
import type { Listeners } from '../listeners/listeners.ts'
import type { Shift, SpaceListeners } from '../listeners/space-listeners.ts'

/** A change of access, and the snapshots to compare. */
export interface AccessChange {
  readonly deps: { database: Database; listeners: Listeners }
  readonly space: SpaceListeners
  /** The current snapshot, by which members gain rooms. */
  readonly next: SpaceSnapshot
}

/** Shifts (connections that gained or lost rooms) checked per query. */
const AT_ONCE = 200

/**
 * Drops connections whose new room access rests on stale roles. The snapshot may be newer than the received events: a
 * member who has since lost a role, or left, would be shown rooms opened to others. Members who left are removed
 * immediately; members with other roles reconnect and are sent the space again.
 */
export async function* proveGains(change: AccessChange, shifts: Iterable<Shift>): AsyncGenerator<Shift> {
  let piece: Shift[] = []
  for (const shift of shifts) {
    piece.push(shift)
    if (piece.length < AT_ONCE) continue
    yield* await prove(change, piece)
    piece = []
  }
  yield* await prove(change, piece)
}

async function prove(change: AccessChange, shifts: readonly Shift[]): Promise<readonly Shift[]> {
  const { deps, space, next } = change
  const spaceId = next.space.id
  const gaining = shifts
    .filter(({ gained }) => gained.length > 0)
    .flatMap(({ connections }) => [...connections])
  if (gaining.length === 0) return shifts
  const found = await findMembers(deps.database, spaceId, [...new Set(gaining.map(userOf))])
  const members = new Map(found.map((member) => [member.user_id, member]))
  for (const connection of gaining) {
    const member = members.get(userOf(connection))
    if (member !== undefined && hasReceivedRoles(change, connection, member)) continue
    deps.listeners.removeFromSpace(connection, spaceId)
    if (member !== undefined) connection.close(CloseCode.Unknown, 'the space has changed')
  }
  return shifts.filter(({ connections }) => [...connections].some((connection) => space.all.has(connection)))
}

/**
 * Returns true if the roles this process knows from events are the member's current ones. Deleted roles are ignored:
 * they have no members, even if the deletion was not received yet.
 */
function hasReceivedRoles({ space, next }: AccessChange, connection: Connection, { roles }: Member): boolean {
  const received = space.rolesOf(connection).filter((id) => next.roles.has(id))
  const present = new Set(roles.filter((id) => next.roles.has(id)))
  return received.length === present.size && received.every((id) => present.has(id))
}

function userOf({ caller }: Connection): string {
  return caller?.user.id ?? ''
}
