import { MAX_PAGE, MAX_SEEN_LISTS } from '@foyer/protocol/limits'
import type { Subscribe } from '@foyer/protocol/members'
import { ApiError } from '#src/kernel/errors.ts'
import { accessRoomIn, accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import type { Connection } from './connections/connection.ts'
import type { EventHolds } from './fan-out/event-holds.ts'
import type { Listeners } from './listeners/listeners.ts'
import type { Range } from './member-lists/list-view.ts'
import type { MemberLists } from './member-lists/member-lists.ts'

export interface SubscriptionDeps {
  snapshots: Snapshots
  eventHolds: EventHolds
  listeners: Listeners
  memberLists: MemberLists
}

/** Number of each connection's last SUBSCRIBE by space. An earlier SUBSCRIBE that finishes later is dropped. */
const latest = new WeakMap<Connection, Map<string, number>>()
/** Number of received SUBSCRIBEs. */
let count = 0

/**
 * @throws ApiError 400 for invalid ranges or too many lists, 403 for non-members and hidden rooms, 404 for a
 * room of another space
 */
export async function subscribe(
  { snapshots, eventHolds, listeners, memberLists }: SubscriptionDeps,
  connection: Connection,
  wanted: Subscribe,
): Promise<void> {
  const { caller } = connection
  if (caller === undefined) return
  const ranges = (wanted.member_ranges ?? []).map(rangeOf)
  const own = latest.get(connection) ?? new Map<string, number>()
  latest.set(connection, own)
  count += 1
  const number = count
  // A connection that was just sent the space is subscribed by the time the hold of the space's events ends.
  await eventHolds.allEnded([wanted.space_id])
  const space = await accessSpace(snapshots, caller, wanted.space_id)
  const { spaceId } = space
  const roomId = wanted.room_id ?? null
  if (roomId !== null) accessRoomIn(space, roomId)
  // If the look-ups of a later SUBSCRIBE finished first, this SUBSCRIBE is dropped.
  if ((own.get(spaceId) ?? 0) > number) return
  own.set(spaceId, number)
  const hidden =
    ranges.length > 0 ? await memberLists.findHidden(connection, caller.user.id) : new Set<string>()
  if (connection.state.name !== 'ready' || own.get(spaceId) !== number) return
  // The user has left the space, or has not been sent it yet.
  if (!connection.spaces.has(spaceId)) throw new ApiError('not_a_member')
  if (!listeners.mayReceiveRoom(connection, spaceId, roomId)) throw new ApiError('missing_permission')
  // Checked after the last look-up, because many SUBSCRIBEs may run simultaneously.
  if (ranges.length > 0 && memberLists.countOthers(connection, spaceId) >= MAX_SEEN_LISTS)
    throw new ApiError('too_many_lists')
  listeners.setQuiet(connection, spaceId, wanted.typing === false)
  const request = { ranges, roomId, hidden, wantsPresence: wanted.presence !== false }
  if (ranges.length === 0) memberLists.hide(connection, spaceId)
  else await memberLists.show(connection, spaceId, request)
}

function rangeOf([from = 0, to = 0]: readonly number[]): Range {
  const isRange = to >= from && to - from < MAX_PAGE
  if (!isRange) throw new ApiError('invalid_request', `a range has 1 to ${MAX_PAGE} members`)
  return [from, to]
}
