import { MAX_FOLLOWED_THREADS } from '@foyer/protocol/limits'
import type { FollowLevel, ThreadFollow } from '@foyer/protocol/thread-rooms'
import type { Place } from '#src/channels/place.ts'
import { hasPost } from '#src/forums/post-queries.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { listReadStates } from '#src/messages/read-states/queries.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { type Snapshots, viewOf } from '#src/spaces/snapshots.ts'
import {
  deleteFollow,
  dropFollowsBeyond,
  type FollowCause,
  insertFollows,
  listFollows,
  listUnfollowing,
  markPastAsRead,
  upsertFollow,
} from '../follow-queries.ts'

/** Returns the user's follow and read state of each thread, in the same order. */
export async function ownStatesOf(
  database: Queryable,
  userId: string,
  places: readonly Place[],
): Promise<ThreadFollow[]> {
  if (places.length === 0) return []
  const ids = places.map(({ channelId }) => channelId)
  const [follows, states] = await Promise.all([
    listFollows(database, userId, places),
    listReadStates(database, userId, places),
  ])
  const readBy = new Map(states.map((state) => [state.room_id, state]))
  return ids.map((id) => {
    const state = readBy.get(id)
    return {
      follow: follows.get(id) ?? null,
      read_seq: state?.last_read_seq ?? 0,
      unread_count: state?.unread_count ?? 0,
      mention_count: state?.mention_count ?? 0,
    }
  })
}

/** Publishes the user's follow and read state of a thread to their own connections. */
export async function publishFollow(
  transaction: Transaction,
  place: Place,
  userId: string,
): Promise<ThreadFollow> {
  const [own = { follow: null, read_seq: 0, unread_count: 0, mention_count: 0 }] = await ownStatesOf(
    transaction,
    userId,
    [place],
  )
  const isPost = await hasPost(transaction, place)
  const update = { thread_id: place.channelId, ...(isPost && { in_forum: true }), ...own }
  transaction.publish(event(topicOf.user(userId), 'THREAD_FOLLOW_UPDATE', update))
  return own
}

export async function followThread(
  { database }: { database: Database },
  place: Place,
  userId: string,
  level: FollowLevel,
): Promise<ThreadFollow> {
  return database.transaction(async (transaction) => {
    const added = await insertFollows(transaction, place, [userId])
    await upsertFollow(transaction, place, userId, level)
    await settleFollows(transaction, place, added, { messageId: null, readerId: userId })
    return publishFollow(transaction, place, userId)
  })
}

/** Makes users follow a thread. Existing followers are not changed. */
export async function addFollowers(
  transaction: Transaction,
  place: Place,
  userIds: readonly string[],
  cause: FollowCause,
): Promise<void> {
  const added = await insertFollows(transaction, place, userIds)
  await settleFollows(transaction, place, added, cause)
  for (const userId of added) await publishFollow(transaction, place, userId)
}

/** Marks earlier messages as read for new followers, and ends their least active follows over the limit. */
async function settleFollows(
  transaction: Transaction,
  place: Place,
  userIds: readonly string[],
  cause: FollowCause,
): Promise<void> {
  if (userIds.length === 0) return
  await markPastAsRead(transaction, place, userIds, cause)
  for (const lost of await dropFollowsBeyond(transaction, place, userIds, MAX_FOLLOWED_THREADS))
    await publishFollow(transaction, { tenantId: lost.space_id, channelId: lost.thread_id }, lost.user_id)
}

/** Ends the user's follow. Does nothing for a thread that the user does not follow. */
export async function unfollowThread(
  { database }: { database: Database },
  place: Place,
  userId: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    if (await deleteFollow(transaction, place, userId)) await publishFollow(transaction, place, userId)
  })
}

/** The people whom a message makes followers: its author and the mentioned users. */
interface Concerned {
  /** Null for a bot or a webhook. */
  authorId: string | null
  mentionedIds: readonly string[]
  messageId: string
}

/**
 * Makes people follow a thread when they write in it or are mentioned there. Users who may not view the thread are
 * left out, and existing followers keep their level. Most messages cost one look-up.
 */
export async function followByMessage(
  { database, snapshots }: { database: Database; snapshots: Snapshots },
  place: Place,
  { authorId, mentionedIds, messageId }: Concerned,
): Promise<void> {
  const userIds = [...new Set([...(authorId === null ? [] : [authorId]), ...mentionedIds])]
  const unfollowing = userIds.length === 0 ? [] : await listUnfollowing(database, place, userIds)
  if (unfollowing.length === 0) return
  const [snapshot, members] = await Promise.all([
    snapshots.find(place.tenantId),
    findMembers(database, place.tenantId, unfollowing),
  ])
  if (snapshot === undefined || place.parentId === undefined) return
  const { parentId } = place
  const viewing = members.filter((member) => viewOf(snapshot, member)(parentId))
  const viewerIds = viewing.map(({ user_id }) => user_id)
  if (viewerIds.length === 0) return
  const cause = { messageId, readerId: authorId }
  await database.transaction((transaction) => addFollowers(transaction, place, viewerIds, cause))
}
