import { LEAST_ID } from '@foyer/protocol/ids'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import type { MessageRow } from '#src/messages/rows.ts'
import type { ArchivedThread } from '../format.ts'
import { listOfThreads, messagePages } from './queries.ts'

export interface ThreadRow {
  id: string
  room_id: string
  title: string
  quiet_minutes: number
  created_at: string
  starter_message_id: string | null
  is_closed: boolean
  message_count: number
  tags: string[] | null
  is_pinned: boolean | null
  solved_message_id: string | null
  opening_message_id: string | null
  lost_opening: boolean
}

/** Lists the threads of a space in the order of their ids, page by page. */
export async function* threadPages(
  database: Queryable,
  spaceId: string,
  limit: number,
): AsyncGenerator<ThreadRow[]> {
  let after: string | undefined = LEAST_ID
  while (after !== undefined) {
    const rows: ThreadRow[] = await database.query<ThreadRow>(sql`
      select thread_rooms.id, thread_rooms.room_id, title, quiet_minutes, thread_rooms.created_at, starter_message_id,
        is_closed, message_count, is_pinned, solved_message_id, opening_message_id,
        (select array_agg(tag_id order by place)
          from unnest(tag_ids) with ordinality as set_tag (tag_id, place)
          where forum -> 'tags' @> jsonb_build_array(jsonb_build_object('id', tag_id))) as tags,
        posts.id is not null and not exists (
          select from messages
          where tenant_id = thread_rooms.space_id and channel_id = thread_rooms.id
            and messages.id = opening_message_id) as lost_opening
      from thread_rooms
        join rooms on rooms.space_id = thread_rooms.space_id and rooms.id = thread_rooms.room_id
        left join posts on posts.space_id = thread_rooms.space_id and posts.id = thread_rooms.id
      where thread_rooms.space_id = ${spaceId} and thread_rooms.id > ${after}
      order by thread_rooms.id limit ${limit}`)
    after = rows[limit - 1]?.id
    if (rows.length > 0) yield rows
  }
}

/**
 * Lists the messages of threads, sorted by thread id, then by message id. Small threads are read together, and a large
 * thread page by page.
 */
export async function* threadMessagePages(
  database: Queryable,
  spaceId: string,
  threads: readonly ThreadRow[],
  limit: number,
): AsyncGenerator<MessageRow[]> {
  for (const together of chunksOf(threads, limit)) {
    const [first] = together
    if (together.length === 1 && first !== undefined)
      yield* messagePages(database, { tenantId: spaceId, channelId: first.id }, limit)
    else
      yield await listOfThreads(
        database,
        spaceId,
        together.map(({ id }) => id),
      )
  }
}

/** Groups neighboring threads that together have at most `limit` messages. A larger thread is a group of its own. */
function chunksOf(threads: readonly ThreadRow[], limit: number): ThreadRow[][] {
  const chunks: ThreadRow[][] = []
  let count = limit + 1
  for (const thread of threads) {
    count += thread.message_count
    if (count <= limit) chunks.at(-1)?.push(thread)
    else {
      chunks.push([thread])
      count = thread.message_count
    }
  }
  return chunks
}

export function threadLineOf({
  starter_message_id,
  is_closed,
  message_count: _,
  tags,
  is_pinned,
  solved_message_id,
  opening_message_id,
  lost_opening,
  ...thread
}: ThreadRow): ArchivedThread {
  return {
    ...thread,
    ...(starter_message_id !== null && { starter_message_id }),
    ...(is_closed && { is_closed }),
    ...(tags !== null && { tags }),
    ...(is_pinned && { is_pinned }),
    ...(solved_message_id !== null && { solved_message_id }),
    ...(lost_opening ? { lost_opening } : opening_message_id !== null && { opening_message_id }),
  }
}
