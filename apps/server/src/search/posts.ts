import type { SearchMessagesQuery } from '@foyer/protocol/search'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'

/** Posts of forums to which a search is limited. */
export interface PostsAsked {
  /** Posts with at least one of these tags; null for all posts. */
  readonly tags: readonly string[] | null
  /** True for posts with an answer, false for those without, null for both. */
  readonly solved: boolean | null
}

/** Maximum posts that a search looks up in the index. With more, the search checks the post of each message. */
const FEW = 200

/**
 * Returns the posts to which a search is limited, by tags or by having an answer; null for no limit. Posts may still have
 * deleted tags, but a search for a deleted tag finds nothing.
 */
export function postsAskedOf(
  { tag = [], solved = null }: { tag?: readonly string[] | undefined; solved?: boolean | null | undefined },
  { rooms }: SpaceSnapshot,
): PostsAsked | null {
  if (tag.length === 0 && solved === null) return null
  const known = new Set([...rooms.values()].flatMap(({ forum }) => forum?.tags.map(({ id }) => id) ?? []))
  return { tags: tag.length === 0 ? null : tag.filter((id) => known.has(id)), solved }
}

/** Returns true if a search is limited to posts, by tags or by having an answer. */
export function asksForPosts({ tag, solved }: SearchMessagesQuery): boolean {
  return (tag !== undefined && tag.length > 0) || solved !== undefined
}

/** Returns the ids of matching posts; undefined for more than `FEW`. */
export async function listFewPosts(
  database: Queryable,
  spaceId: string,
  { tags, solved }: PostsAsked,
): Promise<string[] | undefined> {
  const rows = await database.query<{ id: string }>(sql`
    select id from posts
    where space_id = ${spaceId} and (${tags}::uuid[] is null or tag_ids && ${tags}::uuid[])
      and coalesce((solved_message_id is not null) = ${solved}::boolean, true)
    limit ${FEW + 1}`)
  return rows.length > FEW ? undefined : rows.map(({ id }) => id)
}
