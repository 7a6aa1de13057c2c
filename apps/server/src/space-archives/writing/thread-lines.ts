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
      select thread_rooms.id, room_id, title, quiet_minutes, thread_rooms.created_at, starter_message_id, is_closed,
        message_count
      from thread_rooms join rooms on rooms.space_id = thread_rooms.space_id and rooms.id = room_id
      where thread_rooms.space_id = ${spaceId} and thread_rooms.id > ${after}
      order by thread_rooms.id limit ${limit}`)
    after = rows[limit - 1]?.id
    if (rows.length > 0) yield rows
  }
}

/**
 * Lists the messages of threads in the order of the threads and of their ids: those of small threads together, those of a large
 * one page by page.
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

/** Groups neighboring threads that have no more messages together than the limit. */
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
  ...thread
}: ThreadRow): ArchivedThread {
  return {
    ...thread,
    ...(starter_message_id !== null && { starter_message_id }),
    ...(is_closed && { is_closed }),
  }
}
