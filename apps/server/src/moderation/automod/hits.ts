import type { AutomodHitPage, AutomodHitQuery } from '@foyer/protocol/automod'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { listHits } from '#src/moderation/screening/queries.ts'
import { findUsers } from '#src/people/users/queries.ts'
import type { SpaceAccess } from '#src/spaces/access.ts'
import { visibleRooms } from '#src/spaces/snapshots.ts'

/** Returns a page of hits in rooms that the caller may view, and outside of rooms, newest first. */
export async function readHits(
  database: Queryable,
  { spaceId, snapshot, member }: SpaceAccess,
  query: AutomodHitQuery,
): Promise<AutomodHitPage> {
  const roomIds = visibleRooms(snapshot, member).map(({ id }) => id)
  const hits = await listHits(database, spaceId, roomIds, query)
  const userIds = new Set(hits.flatMap(({ user_id }) => (user_id === null ? [] : [user_id])))
  return { hits, users: await findUsers(database, [...userIds]) }
}
