import type { Place } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { sql } from '#src/kernel/sql/sql.ts'

/** Messages of some authors in a room, between two ids (both exclusive). */
export interface AuthoredRange {
  /** Authors, each with the id after which their messages begin. */
  authors: readonly { readonly id: string; readonly after: string }[]
  after: string
  before: string
}

export interface AuthoredPage {
  /** Messages of the authors, oldest first. */
  ids: string[]
  /** The newest message examined; null if the whole range was examined. */
  last: string | null
}

/**
 * Examines part of the room's history, because no index has messages by author.
 * @param limits the maximum number of matching messages, and of messages to examine
 */
export async function findAuthored(
  database: Queryable,
  place: Place,
  { authors, after, before }: AuthoredRange,
  limits: { found: number; passed: number },
): Promise<AuthoredPage> {
  const [page] = await database.query<AuthoredPage>(sql`
    with passed as materialized (
      select id, author_id from messages
      where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and id > ${after} and id < ${before}
      order by id limit ${limits.passed}
    )
    select array(
        select passed.id from passed
          join unnest(${authors.map(({ id }) => id)}::uuid[], ${authors.map((author) => author.after)}::uuid[])
            as author (id, after) on author.id = author_id and passed.id > author.after
        order by passed.id limit ${limits.found}) as ids,
      (select id from passed order by id offset ${limits.passed - 1} limit 1) as last`)
  return page ?? { ids: [], last: null }
}

/** Returns the rooms and threads of a space in which any of the users wrote, and which have a message after the id. */
export async function listWrittenIn(
  database: Queryable,
  spaceId: string,
  { userIds, after }: { userIds: readonly string[]; after: string },
): Promise<string[]> {
  const rows = await database.query<{ channel_id: string }>(sql`
    select channel_id from message_heads
    where tenant_id = ${spaceId} and last_message_id > ${after} and channel_id in (
      select channel_id from messages where author_id = any(${userIds}::uuid[]) and tenant_id = ${spaceId})
    order by channel_id`)
  return rows.map(({ channel_id }) => channel_id)
}
