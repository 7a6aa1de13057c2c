import type { Place } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import { sql } from '#src/kernel/sql.ts'

/** Messages of an author in a room, after and before two ids. */
export interface AuthoredRange {
  authorId: string
  after: string
  before: string
}

export interface AuthoredPage {
  /** Those of the author, oldest first. */
  ids: string[]
  /** The newest message that was looked at; null when all were. */
  last: string | null
}

/**
 * Looks at some of the room's messages, whoever's they are: no index has them by author.
 * @param limits how many of the author's to find, and how many to look at
 */
export async function findAuthored(
  database: Queryable,
  place: Place,
  { authorId, after, before }: AuthoredRange,
  limits: { found: number; passed: number },
): Promise<AuthoredPage> {
  const [page] = await database.query<AuthoredPage>(sql`
    with passed as materialized (
      select id, author_id from messages
      where tenant_id = ${place.tenantId} and channel_id = ${place.channelId} and id > ${after} and id < ${before}
      order by id limit ${limits.passed}
    )
    select array(select id from passed where author_id = ${authorId} order by id limit ${limits.found}) as ids,
      (select id from passed order by id offset ${limits.passed - 1} limit 1) as last`)
  return page ?? { ids: [], last: null }
}
