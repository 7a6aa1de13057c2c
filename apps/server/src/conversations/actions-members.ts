import { ConversationType } from '@foyer/protocol/conversations'
import { MAX_GROUP_MEMBERS } from '@foyer/protocol/limits'
import { stopRinging } from '#src/calls/actions-ringing.ts'
import { deleteCall } from '#src/calls/queries.ts'
import { topicOf } from '#src/kernel/bus.ts'
import type { Database, Transaction } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { event } from '#src/kernel/events.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { lockUsers } from '#src/users/queries.ts'
import { type ConversationAccess, holdGroup } from './access.ts'
import { listForLate, readConversation, unlistFor } from './actions-listing.ts'
import {
  deleteConversation,
  deleteDirect,
  deleteMember,
  insertMembers,
  markClosed,
  saveGroup,
} from './change-queries.ts'
import { findConversationRow, listAbandoned } from './queries.ts'
import { checkApproachable, checkGroupCounts, checkPeople } from './recipients.ts'

interface Deps {
  database: Database
}

/**
 * Anybody in a group adds people; who is in it already stays.
 * @throws ApiError 404 for who does not exist, 403 for a bot, a stranger of the caller's or who is behind a block, 400 when
 *   the group, or the other's list of groups, is full
 */
export async function addMember(
  { database }: Deps,
  access: ConversationAccess,
  userId: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { id, caller, memberIds } = await holdGroup(transaction, access)
    if (memberIds.includes(userId)) return
    // Both, as who changes what is between them does: a block that comes meanwhile waits.
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
 * Everybody removes themselves, the owner anyone.
 * @throws ApiError 403 for others, 404 for who is not in the group
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

/** A group is left. A direct conversation is closed: listed no more until something is said in it. */
export async function closeConversation({ database }: Deps, access: ConversationAccess): Promise<void> {
  const { id, caller, type } = access
  if (type === ConversationType.Group) return removeMember({ database }, access, caller.user.id)
  await database.transaction(async (transaction) => {
    if (await markClosed(transaction, id, caller.user.id)) unlistFor(transaction, caller.user.id, id)
  })
}

/**
 * An account ends: it leaves its groups, which `lockGroupsOf` holds. Direct conversations stay for the other; those whose
 * other is gone as well end by and by.
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
 * Ends direct conversations in which nobody is left.
 * @returns whether there may be more
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

/** Whose group it was hands it to who has been in it longest. With the last one it ends. */
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
