import { MAX_PAGE, MAX_SEEN_LISTS } from '@foyer/protocol/limits'
import type { Subscribe } from '@foyer/protocol/members'
import { ApiError } from '#src/kernel/errors.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import type { Connection } from './connection.ts'
import type { Range } from './list-view.ts'
import type { Listeners } from './listeners.ts'
import type { MemberLists } from './member-lists.ts'

export interface SubscriptionDeps {
  snapshots: Snapshots
  listeners: Listeners
  memberLists: MemberLists
}

/** The last SUBSCRIBE of a connection for each space: those that it overtakes come to nothing. */
const latest = new WeakMap<Connection, Map<string, Subscribe>>()

/** @throws ApiError 400 for ranges that are none, or too many lists, 403 for who is no member */
export async function subscribe(
  { snapshots, listeners, memberLists }: SubscriptionDeps,
  connection: Connection,
  wanted: Subscribe,
): Promise<void> {
  const { caller } = connection
  if (caller === undefined) return
  const own = latest.get(connection) ?? new Map<string, Subscribe>()
  latest.set(connection, own)
  const { spaceId } = await accessSpace(snapshots, caller, wanted.space_id)
  own.set(spaceId, wanted)
  const ranges = (wanted.member_ranges ?? []).map(rangeOf)
  const hidden =
    ranges.length > 0 ? await memberLists.findHidden(connection, caller.user.id) : new Set<string>()
  const isStill = connection.state.name === 'ready' && connection.spaces.has(spaceId)
  if (!isStill || own.get(spaceId) !== wanted) return
  // After the last look-up: many may be under way at once.
  if (ranges.length > 0 && memberLists.countOthers(connection, spaceId) >= MAX_SEEN_LISTS)
    throw new ApiError('too_many_lists')
  // Counted only now: others may have been asked for at the same time.
  listeners.setQuiet(connection, spaceId, wanted.typing === false)
  if (ranges.length === 0) memberLists.hide(connection, spaceId)
  else
    await memberLists.show(connection, spaceId, { ranges, hidden, hearsPresence: wanted.presence !== false })
}

function rangeOf([from = 0, to = 0]: readonly number[]): Range {
  const isRange = to >= from && to - from < MAX_PAGE
  if (!isRange) throw new ApiError('invalid_request', `a range has 1 to ${MAX_PAGE} members`)
  return [from, to]
}
