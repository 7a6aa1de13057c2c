import { ConversationType } from '@foyer/protocol/conversations'
import { MAX_GROUP_MEMBERS } from '@foyer/protocol/limits'
import { stopRinging } from '#src/calls/actions/ringing.ts'
import { deleteCall } from '#src/calls/queries.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { lockUsers } from '#src/people/users/queries.ts'
import { type ConversationAccess, holdGroup } from '../access.ts'
import {
  deleteConversation,
  deleteDirect,
  deleteMember,
  insertMembers,
  markClosed,
  saveGroup,
} from '../change-queries.ts'
import { findConversationRow, listAbandoned } from '../queries.ts'
import { checkApproachable, checkGroupCounts, checkPeople } from '../recipients.ts'
import { listForLate, readConversation, unlistFor } from './listing.ts'

interface Deps {
  database: Database
}

/**
 * Adds a user to a group, as any member may do. Does nothing for an existing member.
 * @throws ApiError 404 for a user that does not exist, 403 for a bot, a stranger or a blocked user, 400 if the group or
 *   the user's list of groups is full
 */
export async function addMember(
  { database }: Deps,
  access: ConversationAccess,
  userId: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { id, caller, memberIds } = await holdGroup(transaction, access)
    if (memberIds.includes(userId)) return
    // Locks both users, so that neither can block the other until the transaction ends.
    const user = (await lockUsers(transaction, [caller.user.id, userId])).find((each) => each.id === userId)
    if (user === undefined) throw new ApiError('unknown_user')
    checkPeople([user])
    if (memberIds.length >= MAX_GROUP_MEMBERS) throw new ApiError('too_many_group_members')
    await checkApproachable(transaction, caller.user.id, [userId])
    await checkGroupCounts(transaction, [userId])
    await insertMembers(transaction, id, [userId])
    const conversation = await readConversation(transaction, id)
    const added = { conversation_id: id, user }
    transaction.publish(event(topicOf.conversation(id), 'CONVERSATION_MEMBER_ADD', added))
    await listForLate(transaction, [userId], conversation)
  })
}

/**
 * Removes a member of a group. Members may remove themselves, and the owner may remove anyone.
 * @throws ApiError 403 for other callers, 404 for a user who is not a member
 */
export async function removeMember(
  { database }: Deps,
  access: ConversationAccess,
  userId: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { id, caller, ownerId, memberIds } = await holdGroup(transaction, access)
    if (userId !== caller.user.id && ownerId !== caller.user.id) throw new ApiError('group_owner_only')
    if (!memberIds.includes(userId)) throw new ApiError('unknown_member')
    await leave(transaction, id, userId)
  })
}

/** Leaves a group, or closes a direct conversation: it is unlisted until its next message. */
export async function closeConversation({ database }: Deps, access: ConversationAccess): Promise<void> {
  const { id, caller, type } = access
  if (type === ConversationType.Group) return removeMember({ database }, access, caller.user.id)
  await database.transaction(async (transaction) => {
    if (await markClosed(transaction, id, caller.user.id)) unlistFor(transaction, caller.user.id, id)
  })
}

/**
 * Leaves the groups of an account being deleted, which `lockGroupsOf` has locked. A direct conversation stays for the other
 * user; a job ends it once both accounts are deleted.
 */
export async function leaveConversations(
  transaction: Transaction,
  userId: string,
  groupIds: readonly string[],
): Promise<void> {
  for (const id of groupIds) await leave(transaction, id, userId)
  await enqueueJob(transaction, 'end_direct_conversations', { user_id: userId })
}

/**
 * Ends direct conversations of two deleted accounts.
 * @returns true if more may be left
 */
export async function endAbandoned(
  transaction: Transaction,
  userId: string,
  limit: number,
): Promise<boolean> {
  const ids = await listAbandoned(transaction, userId, limit)
  for (const id of ids) {
    await deleteDirect(transaction, id)
    await end(transaction, id)
  }
  return ids.length === limit
}

/** Removes the member. An owner passes the group to its longest-standing member. An empty group ends. */
async function leave(transaction: Transaction, id: string, userId: string): Promise<void> {
  if (!(await deleteMember(transaction, id, userId))) return
  unlistFor(transaction, userId, id)
  const removed = { conversation_id: id, user_id: userId }
  transaction.publish(event(topicOf.conversation(id), 'CONVERSATION_MEMBER_REMOVE', removed))
  await stopRinging(transaction, id, userId)
  const row = await findConversationRow(transaction, id)
  const [heirId] = row?.memberIds ?? []
  if (heirId === undefined) return end(transaction, id)
  if (row?.owner_id === userId) await handOver(transaction, id, heirId)
}

async function handOver(transaction: Transaction, id: string, ownerId: string): Promise<void> {
  const group = { ...(await readConversation(transaction, id)), owner_id: ownerId }
  await saveGroup(transaction, group)
  transaction.publish(event(topicOf.conversation(id), 'CONVERSATION_UPDATE', group))
}

async function end(transaction: Transaction, id: string): Promise<void> {
  await deleteConversation(transaction, id)
  await deleteCall(transaction, id)
  await enqueueJob(transaction, 'sweep_conversation', { conversation_id: id })
}
