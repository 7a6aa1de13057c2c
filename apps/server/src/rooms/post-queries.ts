import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** Deletes the post rows and their indexed words of a forum's threads. Does nothing for other threads. */
export async function deletePosts(
  transaction: Queryable,
  spaceId: string,
  ids: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    with words as (delete from post_words where space_id = ${spaceId} and post_id = any(${ids}::uuid[]))
    delete from posts where space_id = ${spaceId} and id = any(${ids}::uuid[])`)
}
