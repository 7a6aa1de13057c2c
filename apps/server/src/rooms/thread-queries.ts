import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { deletePosts } from './post-queries.ts'

/**
 * Deletes threads of a deleted room, with their heads, so that no more messages can be written in them.
 * @returns their ids
 */
export async function deleteThreadsOf(
  transaction: Queryable,
  { spaceId, roomId }: { spaceId: string; roomId: string },
  limit: number,
): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    select id from thread_rooms where space_id = ${spaceId} and room_id = ${roomId} order by id limit ${limit}`)
  const ids = rows.map(({ id }) => id)
  await transaction.query(sql`
    delete from message_heads where tenant_id = ${spaceId} and channel_id = any(${ids}::uuid[])`)
  await deletePosts(transaction, spaceId, ids)
  await transaction.query(
    sql`delete from thread_rooms where space_id = ${spaceId} and id = any(${ids}::uuid[])`,
  )
  return ids
}
