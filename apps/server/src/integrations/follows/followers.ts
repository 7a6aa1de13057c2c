import { LEAST_ID } from '@foyer/protocol/ids'
import type { Database } from '#src/kernel/database/database.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import type { WebhookRow } from '../webhooks/queries.ts'
import { mayView } from '../webhooks/sources.ts'
import { findWebhooks } from './copies.ts'
import { deleteFollows, type FollowRow, listFollowedRooms, listFollows, type Source } from './queries.ts'

/** The webhook of a follow. */
export type Follower = Pick<WebhookRow, 'space_id' | 'id' | 'room_id' | 'name' | 'avatar' | 'creator_id'>

/** Follows of one room, and their webhooks. */
export interface FollowerPage {
  follows: readonly FollowRow[]
  followers: readonly Follower[]
}

interface Deps {
  database: Database
  snapshots: Snapshots
}

const FOLLOWERS = 100

/** Yields the followers in pages, and deletes follows whose webhooks no longer exist. */
export async function* pageFollowers({ database }: Deps, source: Source): AsyncGenerator<FollowerPage> {
  let after = LEAST_ID
  while (true) {
    const follows = await listFollows(database, source, { after, limit: FOLLOWERS })
    const followers = await findWebhooks(database, follows)
    const there = new Set(followers.map(({ id }) => id))
    const gone = follows.filter(({ webhook_id }) => !there.has(webhook_id))
    await end(database, source, gone)
    yield { follows, followers }
    const last = follows.at(-1)
    if (last === undefined || follows.length < FOLLOWERS) return
    after = last.webhook_id
  }
}

/** Ends follows whose creators may no longer view the room. @returns the remaining followers */
export async function endHidden(
  { database, snapshots }: Deps,
  source: Source,
  { follows, followers }: FollowerPage,
): Promise<readonly Follower[]> {
  const views = await Promise.all(followers.map(({ creator_id }) => mayView(snapshots, source, creator_id)))
  const hidden = new Set(followers.filter((_, index) => views[index] === false).map(({ id }) => id))
  if (hidden.size === 0) return followers
  await end(
    database,
    source,
    follows.filter(({ webhook_id }) => hidden.has(webhook_id)),
  )
  return followers.filter(({ id }) => !hidden.has(id))
}

/** Ends follows of the space's rooms whose creators may no longer view the room. */
export async function endHiddenIn(deps: Deps, spaceId: string): Promise<void> {
  for (const roomId of await listFollowedRooms(deps.database, spaceId)) {
    const source = { spaceId, roomId }
    for await (const page of pageFollowers(deps, source)) await endHidden(deps, source, page)
  }
}

async function end(database: Database, source: Source, follows: readonly FollowRow[]): Promise<void> {
  if (follows.length === 0) return
  const ids = follows.map(({ webhook_id }) => webhook_id)
  await database.transaction((transaction) => deleteFollows(transaction, source, ids))
}

/**
 * Returns whether a copy may be written now: the creator of the follow may view the original, and the follower's
 * space is neither frozen nor deleted.
 */
export async function takesCopies({ snapshots }: Deps, source: Source, follower: Follower): Promise<boolean> {
  const target = await snapshots.find(follower.space_id)
  if (target?.space.frozen_at !== null) return false
  return (await mayView(snapshots, source, follower.creator_id)) === true
}
