import { MAX_PAGE, MAX_SEEN_LISTS } from '@foyer/protocol/limits'
import type { Subscribe } from '@foyer/protocol/members'
import { ApiError } from '#src/kernel/errors.ts'
import { accessRoomIn, accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import type { Connection } from './connection.ts'
import type { Gates } from './gates.ts'
import type { Range } from './list-view.ts'
import type { Listeners } from './listeners.ts'
import type { MemberLists } from './member-lists.ts'

export interface SubscriptionDeps {
  snapshots: Snapshots
  gates: Gates
  listeners: Listeners
  memberLists: MemberLists
}

/** When the last SUBSCRIBE of a connection for each space came: those before it come to nothing. */
const latest = new WeakMap<Connection, Map<string, number>>()
/** How many came so far. */
let count = 0

/**
 * @throws ApiError 400 for ranges that are none, or too many lists, 403 for who is no member or may not view the room, and 404
 * for a room that is none of the space's
 */
export async function subscribe(
  { snapshots, gates, listeners, memberLists }: SubscriptionDeps,
  connection: Connection,
  wanted: Subscribe,
): Promise<void> {
  const { caller } = connection
  if (caller === undefined) return
  const ranges = (wanted.member_ranges ?? []).map(rangeOf)
  const own = latest.get(connection) ?? new Map<string, number>()
  latest.set(connection, own)
  count += 1
  const place = count
  // Who was just told the space hears it in a moment.
  await gates.allOpen([wanted.space_id])
  const space = await accessSpace(snapshots, caller, wanted.space_id)
  const { spaceId } = space
  const roomId = wanted.room_id ?? null
  if (roomId !== null) accessRoomIn(space, roomId)
  // What is looked up for one may be there before it is for an earlier one.
  if ((own.get(spaceId) ?? 0) > place) return
  own.set(spaceId, place)
  const hidden =
    ranges.length > 0 ? await memberLists.findHidden(connection, caller.user.id) : new Set<string>()
  if (connection.state.name !== 'ready' || own.get(spaceId) !== place) return
  // The user has left it, or it is still to be told.
  if (!connection.spaces.has(spaceId)) throw new ApiError('not_a_member')
  if (!listeners.hearsRoom(connection, spaceId, roomId)) throw new ApiError('missing_permission')
  // After the last look-up: many may be under way at once.
  if (ranges.length > 0 && memberLists.countOthers(connection, spaceId) >= MAX_SEEN_LISTS)
    throw new ApiError('too_many_lists')
  // Counted only now: others may have been asked for at the same time.
  listeners.setQuiet(connection, spaceId, wanted.typing === false)
  const look = { ranges, roomId, hidden, hearsPresence: wanted.presence !== false }
  if (ranges.length === 0) memberLists.hide(connection, spaceId)
  else await memberLists.show(connection, spaceId, look)
}

function rangeOf([from = 0, to = 0]: readonly number[]): Range {
  const isRange = to >= from && to - from < MAX_PAGE
  if (!isRange) throw new ApiError('invalid_request', `a range has 1 to ${MAX_PAGE} members`)
  return [from, to]
}
