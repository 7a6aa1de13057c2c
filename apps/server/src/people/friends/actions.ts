import type { Block, Friend, FriendRequest, SentFriendRequest } from '@foyer/protocol/friends'
import {
  MAX_BLOCKS,
  MAX_FRIENDS,
  MAX_RECEIVED_FRIEND_REQUESTS,
  MAX_SENT_FRIEND_REQUESTS,
} from '@foyer/protocol/limits'
import type { User } from '@foyer/protocol/users'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError, type ErrorCode } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { lockUsers } from '#src/people/users/queries.ts'
import { countBlocks, deleteBlock, deleteBlocksOf, insertBlock, listBlocks } from './block-queries.ts'
import {
  countFriends,
  deleteFriendship,
  deleteFriendshipsOf,
  findRelation,
  insertFriendship,
  type Relation,
} from './queries.ts'
import {
  deleteFriendRequest,
  deleteFriendRequestBetween,
  deleteFriendRequestsOf,
  findFriendRequest,
  insertFriendRequest,
  type RequestParties,
} from './request-queries.ts'

/** @throws ApiError 400 and 404. A blocked caller gets the same answer as for a user who does not exist. */
export async function sendFriendRequest(
  database: Database,
  caller: Caller,
  receiverId: string,
): Promise<SentFriendRequest> {
  if (receiverId === caller.user.id) throw new ApiError('befriending_oneself')
  return database.transaction(async (transaction) => {
    const { self, other } = await lockPair(transaction, caller, receiverId)
    const relation = await findRelation(transaction, self.id, receiverId)
    const refusal = refusalOf(relation, other)
    if (other === undefined || refusal !== undefined) throw new ApiError(refusal ?? 'unknown_user')
    await checkFriendCounts(transaction, [self.id, other.id])
    const parties = { id: newId(), sender_id: self.id, receiver_id: other.id }
    const request = await insertFriendRequest(transaction, parties)
    for (const [recipient, party] of [
      [self, other],
      [other, self],
    ] as const) {
      transaction.publish(
        event(topicOf.user(recipient.id), 'FRIEND_REQUEST_CREATE', requestWith(request, party)),
      )
    }
    return request
  })
}

/**
 * @throws ApiError 404 for a request that the caller did not receive, 400 if one of the two is at the limit of friends
 */
export async function acceptFriendRequest(
  database: Database,
  caller: Caller,
  requestId: string,
): Promise<Friend> {
  return database.transaction(async (transaction) => {
    const request = await findFriendRequest(transaction, requestId, caller.user.id)
    if (request?.receiver_id !== caller.user.id) throw new ApiError('unknown_friend_request')
    const { self, other } = await lockPair(transaction, caller, request.sender_id)
    const wasPending = await deleteFriendRequest(transaction, request.id)
    if (!wasPending || other === undefined) throw new ApiError('unknown_friend_request')
    await checkFriendCounts(transaction, [self.id, other.id])
    const since = await insertFriendship(transaction, self.id, other.id)
    publishRequestDelete(transaction, request)
    transaction.publish(event(topicOf.user(self.id), 'FRIEND_CREATE', { user: other, since }))
    transaction.publish(event(topicOf.user(other.id), 'FRIEND_CREATE', { user: self, since }))
    return { user: other, since }
  })
}

/** Deletes a request: rejects a received one, withdraws a sent one. */
export async function deleteRequest(database: Database, caller: Caller, requestId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const request = await findFriendRequest(transaction, requestId, caller.user.id)
    if (request === undefined) throw new ApiError('unknown_friend_request')
    await lockUsers(transaction, [request.sender_id, request.receiver_id])
    if (!(await deleteFriendRequest(transaction, request.id))) throw new ApiError('unknown_friend_request')
    publishRequestDelete(transaction, request)
  })
}

export async function removeFriend(database: Database, caller: Caller, friendId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const { self } = await lockPair(transaction, caller, friendId)
    if (!(await deleteFriendship(transaction, self.id, friendId))) throw new ApiError('unknown_friend')
    publishFriendDelete(transaction, self.id, friendId)
  })
}

/** Blocks a user, and ends friendship and requests between the two. Only the caller is notified of the block. */
export async function blockUser(database: Database, caller: Caller, userId: string): Promise<Block> {
  if (userId === caller.user.id) throw new ApiError('blocking_oneself')
  return database.transaction(async (transaction) => {
    const { self, other } = await lockPair(transaction, caller, userId)
    if (other === undefined) throw new ApiError('unknown_user')
    const [existing] = await listBlocks(transaction, self.id, [other.id])
    if (existing !== undefined) return existing
    if ((await countBlocks(transaction, self.id)) >= MAX_BLOCKS) throw new ApiError('too_many_blocks')
    const request = await deleteFriendRequestBetween(transaction, self.id, other.id)
    if (request !== undefined) publishRequestDelete(transaction, request)
    const wereFriends = await deleteFriendship(transaction, self.id, other.id)
    if (wereFriends) publishFriendDelete(transaction, self.id, other.id)
    const block = { user: other, since: await insertBlock(transaction, self.id, other.id) }
    transaction.publish(event(topicOf.user(self.id), 'BLOCK_CREATE', block))
    return block
  })
}

export async function unblockUser(database: Database, caller: Caller, userId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    const { self } = await lockPair(transaction, caller, userId)
    if (!(await deleteBlock(transaction, self.id, userId))) throw new ApiError('unknown_block')
    transaction.publish(event(topicOf.user(self.id), 'BLOCK_DELETE', { user_id: userId }))
  })
}

/**
 * Ends all relations of a deleted account and notifies the other users. Locking the user's row is enough: every change
 * between two users locks both.
 */
export async function endRelations(transaction: Transaction, userId: string): Promise<void> {
  await lockUsers(transaction, [userId])
  for (const friendId of await deleteFriendshipsOf(transaction, userId)) {
    transaction.publish(event(topicOf.user(friendId), 'FRIEND_DELETE', { user_id: userId }))
  }
  for (const { id, sender_id, receiver_id } of await deleteFriendRequestsOf(transaction, userId)) {
    const otherId = sender_id === userId ? receiver_id : sender_id
    transaction.publish(event(topicOf.user(otherId), 'FRIEND_REQUEST_DELETE', { id }))
  }
  for (const blockerId of await deleteBlocksOf(transaction, userId)) {
    transaction.publish(event(topicOf.user(blockerId), 'BLOCK_DELETE', { user_id: userId }))
  }
}

/**
 * Locks both users, so that changes between them run one after another and lookups stay true. `other` is undefined for
 * a user that does not exist or was deleted.
 */
async function lockPair(
  transaction: Transaction,
  caller: Caller,
  otherId: string,
): Promise<{ self: User; other: User | undefined }> {
  const users = await lockUsers(transaction, [caller.user.id, otherId])
  const self = users.find(({ id }) => id === caller.user.id)
  if (self === undefined) throw new ApiError('authentication_required')
  return { self, other: users.find(({ id }) => id === otherId) }
}

/** Returns the reason why the first user may not send the second a request. */
function refusalOf(relation: Relation, other: User | undefined): ErrorCode | undefined {
  if (relation.is_blocking) return 'user_blocked'
  // Checked before anything that reveals the other user, who seems not to exist to a user they have blocked.
  if (other === undefined || relation.is_blocked) return 'unknown_user'
  if (other.is_bot) return 'befriending_bot'
  if (relation.are_friends) return 'already_friends'
  if (relation.is_pending) return 'request_pending'
  if (relation.sent_requests >= MAX_SENT_FRIEND_REQUESTS) return 'too_many_friend_requests'
  if (relation.received_requests >= MAX_RECEIVED_FRIEND_REQUESTS) return 'too_many_received_requests'
  return undefined
}

async function checkFriendCounts(transaction: Transaction, userIds: readonly string[]): Promise<void> {
  if ((await countFriends(transaction, userIds)) >= MAX_FRIENDS) throw new ApiError('too_many_friends')
}

/** Returns the request as the user other than `party` sees it. */
function requestWith(request: SentFriendRequest, party: User): FriendRequest {
  const { id: user_id, username: user_username, alias: user_alias, avatar: user_avatar } = party
  return { ...request, user_id, user_username, user_alias, user_avatar }
}

function publishRequestDelete(
  transaction: Transaction,
  { id, sender_id, receiver_id }: RequestParties,
): void {
  for (const userId of [sender_id, receiver_id]) {
    transaction.publish(event(topicOf.user(userId), 'FRIEND_REQUEST_DELETE', { id }))
  }
}

function publishFriendDelete(transaction: Transaction, userId: string, friendId: string): void {
  transaction.publish(event(topicOf.user(userId), 'FRIEND_DELETE', { user_id: friendId }))
  transaction.publish(event(topicOf.user(friendId), 'FRIEND_DELETE', { user_id: userId }))
}
