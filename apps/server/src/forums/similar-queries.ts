import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Maximum posts read per word, the newest first. A word that more posts have says little about a title. */
const POSTS_PER_WORD = 500

/** The posts whose titles share the most words, and the number of posts read for each word. */
export interface Sharing {
  ids: string[]
  counts: ReadonlyMap<string, number>
}

/**
 * Finds posts of a forum by the words of their titles. Rare words count more: the weight of a word is 1 divided by
 * the natural logarithm of e plus the number of posts that have it.
 */
export async function findSharing(
  database: Queryable,
  { spaceId, roomId }: { spaceId: string; roomId: string },
  words: readonly string[],
  limit: number,
): Promise<Sharing> {
  const [row] = await database.query<{ ids: string[] | null; counts: Record<string, number> | null }>(sql`
    with found as materialized (
      select asked.word, post_id from unnest(${words}::text[]) as asked (word) cross join lateral (
        select post_id from post_words
        where space_id = ${spaceId} and room_id = ${roomId} and post_words.word = asked.word
        order by post_id desc limit ${POSTS_PER_WORD}) as newest
    ),
    counted as (
      select word, count(*) as count from found group by word
    ),
    best as (
      select post_id from found join counted using (word)
      group by post_id order by sum(1 / ln(exp(1.0::float8) + count)) desc, post_id desc limit ${limit}
    )
    select (select array_agg(post_id) from best) as ids,
      (select json_object_agg(word, count) from counted) as counts`)
  return { ids: row?.ids ?? [], counts: new Map(Object.entries(row?.counts ?? {})) }
}

/** Returns the weight of a word that `count` posts have. */
export function weightOfWord(count: number): number {
  return 1 / Math.log(Math.E + count)
}
