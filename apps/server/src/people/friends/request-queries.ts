import type { FriendRequest, SentFriendRequest } from '@foyer/protocol/friends'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Lists pending requests, oldest first, each with the other party. */
export async function listFriendRequests(
  database: Queryable,
  userId: string,
  way: 'received' | 'sent' | 'either',
): Promise<FriendRequest[]> {
  const receiverId = way === 'sent' ? null : userId
  const senderId = way === 'received' ? null : userId
  return database.query<FriendRequest>(sql`
    select friend_requests.id, sender_id, receiver_id, users.id as user_id, friend_requests.created_at,
      username as user_username, alias as user_alias, avatar as user_avatar
    from friend_requests
    join users on users.id = case sender_id when ${userId} then receiver_id else sender_id end
    where receiver_id = ${receiverId} or sender_id = ${senderId}
    order by friend_requests.created_at, friend_requests.id`)
}

export type RequestParties = Pick<FriendRequest, 'id' | 'sender_id' | 'receiver_id'>

/** Finds a pending request that the user sent or received. */
export async function findFriendRequest(
  transaction: Queryable,
  requestId: string,
  userId: string,
): Promise<RequestParties | undefined> {
  const [request] = await transaction.query<RequestParties>(sql`
    select id, sender_id, receiver_id from friend_requests
    where id = ${requestId} and (sender_id = ${userId} or receiver_id = ${userId})`)
  return request
}

/** Returns the request as the sender sees it. */
export async function insertFriendRequest(
  transaction: Queryable,
  { id, sender_id, receiver_id }: RequestParties,
): Promise<SentFriendRequest> {
  const [request] = await transaction.query<SentFriendRequest>(sql`
    insert into friend_requests (id, sender_id, receiver_id)
    values (${id}, ${sender_id}, ${receiver_id})
    returning id, sender_id, receiver_id, receiver_id as user_id, created_at`)
  if (request === undefined) throw new Error('the friend request was not inserted')
  return request
}

/** Returns false if the request no longer existed. */
export async function deleteFriendRequest(transaction: Queryable, requestId: string): Promise<boolean> {
  const deleted = await transaction.query(
    sql`delete from friend_requests where id = ${requestId} returning id`,
  )
  return deleted.length > 0
}

/** Deletes the pending request between the two, in either direction. */
export async function deleteFriendRequestBetween(
  transaction: Queryable,
  userId: string,
  otherId: string,
): Promise<RequestParties | undefined> {
  const [request] = await transaction.query<RequestParties>(sql`
    delete from friend_requests
    where least(sender_id, receiver_id) = least(${userId}::uuid, ${otherId}::uuid)
      and greatest(sender_id, receiver_id) = greatest(${userId}::uuid, ${otherId}::uuid)
    returning id, sender_id, receiver_id`)
  return request
}

/** @returns the deleted requests */
export async function deleteFriendRequestsOf(
  transaction: Queryable,
  userId: string,
): Promise<RequestParties[]> {
  return transaction.query<RequestParties>(sql`
    delete from friend_requests where sender_id = ${userId} or receiver_id = ${userId}
    returning id, sender_id, receiver_id`)
}
