import type { Space } from '@foyer/protocol/spaces'
import { showSpaceFiles } from '#src/files/objects/actions.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { lockUsers } from '#src/people/users/queries.ts'
import { accessChange } from '../access-change.ts'
import { listMemberIds, markSpaceRestored } from '../deleted-queries.ts'
import { checkOwnerLimits } from '../owner-limits.ts'
import { listMemberships, listOverwrites, listRooms } from '../queries.ts'
import { listSpaceStates } from '../state.ts'

/** The job that notifies the members of a restored space. */
export const ANNOUNCE_SPACE = 'announce_space'

/** Members notified per run, with eight short queries each. */
const MEMBERS_AT_ONCE = 25

/**
 * Brings back a deleted space that the transaction has locked. A job notifies its members.
 * @param newOwnerId a member who becomes the owner; null keeps the former owner
 * @throws ApiError 409 if the account of the former owner is deleted, 404 for a user who is not a member, 400 for a bot and
 * if the owner would exceed a limit
 */
export async function restoreSpace(
  transaction: Transaction,
  deleted: Space,
  newOwnerId: string | null,
): Promise<void> {
  const { id } = deleted
  const ownerId = newOwnerId ?? deleted.owner_id
  // Locks the account, so that it cannot be deleted before it owns the space.
  const [owner] = await lockUsers(transaction, [ownerId])
  const space = await markSpaceRestored(transaction, { id, owner_id: ownerId })
  const [member] = await listMemberships(transaction, ownerId, [id])
  if (space === undefined || owner === undefined || member === undefined)
    throw new ApiError(newOwnerId === null ? 'owner_deleted' : 'unknown_member')
  if (owner.is_bot) throw new ApiError('bots_cannot_own')
  const [rooms, overwrites] = [await listRooms(transaction, [id]), await listOverwrites(transaction, [id])]
  await checkOwnerLimits(transaction, ownerId, { rooms: rooms.length, overwrites: overwrites.length })
  await showSpaceFiles(transaction, id)
  transaction.publish(accessChange(id))
  transaction.publish(event(topicOf.space(id), 'SPACE_UPDATE', space))
  await enqueueJob(transaction, ANNOUNCE_SPACE, { space_id: id })
}

/**
 * Publishes SPACE_CREATE to a batch of members, in the order of their ids. Enqueues a job for the next batch.
 * @param after id of the last notified member
 */
export async function announceSpace(database: Database, spaceId: string, after: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const userIds = await listMemberIds(transaction, spaceId, { after, limit: MEMBERS_AT_ONCE })
    for (const userId of userIds) {
      // Undefined if the space was deleted again.
      const [state] = await listSpaceStates(transaction, userId, [spaceId], { forums: false })
      if (state !== undefined) transaction.publish(event(topicOf.user(userId), 'SPACE_CREATE', state))
    }
    const last = userIds[MEMBERS_AT_ONCE - 1]
    if (last !== undefined) await enqueueJob(transaction, ANNOUNCE_SPACE, { space_id: spaceId, after: last })
  })
}
