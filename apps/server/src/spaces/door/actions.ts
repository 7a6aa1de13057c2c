import type { Door, DoorCause } from '@foyer/protocol/door'
import { MAX_NEWCOMERS, MAX_SPACES } from '@foyer/protocol/limits'
import type { Space } from '@foyer/protocol/spaces'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { lockUsers } from '#src/people/users/queries.ts'
import { record, targetOf } from '../actions/audit.ts'
import { removeMembers } from '../actions/spaces.ts'
import {
  findArrival,
  findDoor,
  insertNewcomers,
  type Joined,
  listJoined,
  markLeft,
  saveClosed,
} from './queries.ts'

/** The job that notifies moderators of a raid by push. */
export const ALERT_OF_RAID = 'alert_of_raid'

export interface Closing {
  readonly cause: DoorCause
  /** Id of the moderator who closes the door; null for the sensor. */
  readonly closedBy: string | null
  /** Time in milliseconds since 1970. Users who joined since then must wait, too. */
  readonly since: number
}

/**
 * Closes the door of a space locked by `lockSpace`. Recent members lose their membership and wait.
 * @returns false if the door is closed already and no member had to wait
 */
export async function closeDoor(
  transaction: Transaction,
  space: Space,
  { since, ...closing }: Closing,
): Promise<boolean> {
  const closed = await saveClosed(transaction, space.id, closing)
  if (closed !== undefined) transaction.publish(event(topicOf.space(space.id), 'SPACE_UPDATE', closed))
  const joined = await listJoined(transaction, space.id, { since, withLeft: closed !== undefined })
  const members = joined.filter(({ has_left }) => !has_left).map(({ user_id }) => user_id)
  await removeMembers(transaction, space.id, members)
  await makeNewcomers(transaction, space, joined)
  return closed !== undefined || joined.length > 0
}

/** Closes the door of a space locked by `lockSpace` in a raid, and notifies its moderators. */
export async function closeInRaid(
  transaction: Transaction,
  space: Space,
  { cause, since }: Pick<Closing, 'cause' | 'since'>,
): Promise<void> {
  await closeDoor(transaction, space, { cause, since, closedBy: null })
  await publishDoor(transaction, space.id)
  const change = { before: { closed: false }, after: { closed: true, cause } }
  await record(transaction, { spaceId: space.id }, 'door_update', { ...targetOf(space), ...change })
  await enqueueJob(transaction, ALERT_OF_RAID, { space_id: space.id })
}

/** Publishes the state of the door to the members who may open and close it. */
export async function publishDoor(transaction: Transaction, spaceId: string): Promise<Door> {
  const door = await findDoor(transaction, spaceId)
  transaction.publish(event(topicOf.space(spaceId), 'SPACE_DOOR_UPDATE', door))
  return door
}

/** A user who arrives at a space with an invite. */
export interface Coming {
  readonly userId: string
  /** True for an invite whose members stay only while they are connected. */
  readonly isTemporary: boolean
  readonly isClosed: boolean
}

/**
 * The result for an arriving user: joins, waits for a moderator, or is refused, because too many users wait here, or the
 * user waits at too many spaces.
 */
export type Way = 'in' | 'wait' | 'away'

/** Decides about a user who is not a member, and makes them wait if necessary. The space is locked by `lockSpace`. */
export async function receive(
  transaction: Transaction,
  space: Space,
  { userId, isTemporary, isClosed }: Coming,
): Promise<Way> {
  const { isNewcomer, isWaiting, waiting, spaces } = await findArrival(transaction, space.id, userId)
  if (isWaiting) return 'wait'
  if (!isClosed && !isNewcomer) return 'in'
  if (waiting >= MAX_NEWCOMERS || spaces >= MAX_SPACES) return 'away'
  // Locks the account, so that a deleted account does not wait. For a user who joins, `insertMember` locks it.
  const [user] = await lockUsers(transaction, [userId])
  if (user === undefined) throw new ApiError('authentication_required')
  const came = { joined_at: new Date(), was_member: false, has_left: false }
  await makeNewcomers(transaction, space, [{ user_id: userId, is_temporary: isTemporary, ...came }])
  await publishDoor(transaction, space.id)
  return 'wait'
}

async function makeNewcomers(
  transaction: Transaction,
  { id, name, description, icon, banner }: Space,
  joined: readonly Joined[],
): Promise<void> {
  for (const { user_id, has_left, waiting_since } of await insertNewcomers(transaction, id, joined)) {
    const waiting = { id, name, description, icon, banner, waiting_since }
    if (!has_left) transaction.publish(event(topicOf.user(user_id), 'WAITING_SPACE_CREATE', waiting))
  }
}

/**
 * Removes a user who leaves, or is turned away, from the waiting newcomers.
 * @returns false for a user who did not wait
 */
export async function endWaiting(
  transaction: Transaction,
  spaceId: string,
  userId: string,
): Promise<boolean> {
  if (!(await markLeft(transaction, spaceId, userId))) return false
  publishWaitingEnd(transaction, spaceId, userId)
  await publishDoor(transaction, spaceId)
  return true
}

export function publishWaitingEnd(transaction: Transaction, spaceId: string, userId: string): void {
  transaction.publish(event(topicOf.user(userId), 'WAITING_SPACE_DELETE', { space_id: spaceId }))
}
