import type { SearchMessagesQuery } from '@foyer/protocol/search'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'

/** The posts of forums in which a search looks. */
export interface PostsAsked {
  /** Posts with any of these tags; null for whatever tags. */
  readonly tags: readonly string[] | null
  /** True for posts with an answer, false for those without, null for both. */
  readonly solved: boolean | null
}

/** Up to this many posts are looked up in the index; messages of more are checked one by one. */
const FEW = 200

/**
 * Returns the posts that a search names by their tags or answers; null if it names none. Posts still have tags that were
 * deleted, by which nobody finds them any more.
 */
export function postsAskedOf(
  { tag = [], solved = null }: { tag?: readonly string[] | undefined; solved?: boolean | null | undefined },
  { rooms }: SpaceSnapshot,
): PostsAsked | null {
  if (tag.length === 0 && solved === null) return null
  const known = new Set([...rooms.values()].flatMap(({ forum }) => forum?.tags.map(({ id }) => id) ?? []))
  return { tags: tag.length === 0 ? null : tag.filter((id) => known.has(id)), solved }
}

/** Returns whether a search names posts by their tags or answers. */
export function asksForPosts({ tag, solved }: SearchMessagesQuery): boolean {
  return (tag !== undefined && tag.length > 0) || solved !== undefined
}

/** Returns the ids of the posts; undefined for more than a few. */
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
