import { CloseCode } from '@foyer/protocol/gateway'
import type { Member } from '@foyer/protocol/members'
import type { Database } from '#src/kernel/database.ts'
import { findMembers } from '#src/spaces/queries.ts'
import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'
import type { Connection } from './connection.ts'
import type { Listeners } from './listeners.ts'
import type { Shift, SpaceListeners } from './space-listeners.ts'

/** What is told by which snapshot. */
export interface Change {
  readonly deps: { database: Database; listeners: Listeners }
  readonly space: SpaceListeners
  /** By which rooms are gained. */
  readonly next: SpaceSnapshot
}

/** Shifts that are looked at before the first of them is told. */
const AT_ONCE = 200

/**
 * The shifts, without whoever would gain a room by what they are no more. A snapshot may be newer than what was heard: with a
 * role that was taken away since, or as a member who has left, somebody would be shown what was then opened to others. Who has
 * left counts so at once; whose roles are others by now comes back, and is told the space anew.
 */
export async function* proveGains(change: Change, shifts: Iterable<Shift>): AsyncGenerator<Shift> {
  let piece: Shift[] = []
  for (const shift of shifts) {
    piece.push(shift)
    if (piece.length < AT_ONCE) continue
    yield* await prove(change, piece)
    piece = []
  }
  yield* await prove(change, piece)
}

async function prove(change: Change, shifts: readonly Shift[]): Promise<readonly Shift[]> {
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
    if (member !== undefined && isAsHeard(change, connection, member)) continue
    deps.listeners.removeFromSpace(connection, spaceId)
    if (member !== undefined) connection.close(CloseCode.Unknown, 'the space has changed')
  }
  return shifts.filter(({ connections }) => [...connections].some((connection) => space.all.has(connection)))
}

/** Roles that were deleted are nobody's, whether or not it was heard. */
function isAsHeard({ space, next }: Change, connection: Connection, { roles }: Member): boolean {
  const heard = space.rolesOf(connection).filter((id) => next.roles.has(id))
  const present = new Set(roles.filter((id) => next.roles.has(id)))
  return heard.length === present.size && heard.every((id) => present.has(id))
}

function userOf({ caller }: Connection): string {
  return caller?.user.id ?? ''
}
