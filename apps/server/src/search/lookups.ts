import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { type Clause, wholeQuery } from './clauses.ts'
import type { Scope } from './scope.ts'
import type { Match } from './walks.ts'

/**
 * Finds messages by the index with the narrow clauses, and checks the other clauses per row. The conditions are
 * written so that the planner uses only this index, and only for the narrow clauses.
 */
export async function lookUp(
  database: Queryable,
  scope: Scope,
  narrow: readonly Clause[],
  { before, limit }: { before: string; limit: number },
): Promise<Match[]> {
  const query = wholeQuery(scope)
  const rows = await database.query<{ id: string; channel_id: string; thread_id: string | null }>(sql`
    select id, channel_id, thread_id from message_words
    where words @@ ${narrow.map(({ query }) => query).join(' & ')}::tsquery
      and (tenant_id = ${scope.tenantId}) is true
      and (id < ${before} and id > ${scope.after}) is true
      and (channel_id = any(${scope.channelIds}::uuid[])) is true
      and (created_at > coalesce(${scope.sentAfter}::timestamptz, '-infinity')
        and created_at < coalesce(${scope.sentBefore}::timestamptz, 'infinity')) is true
      and (${query}::tsquery is null or words @@ ${query}::tsquery) is true
      and (${scope.posts === null}::boolean or exists (
                select from posts
                where posts.space_id = tenant_id and posts.id = message_words.thread_id
                  and (${scope.posts?.tags ?? null}::uuid[] is null or tag_ids && ${scope.posts?.tags ?? null}::uuid[])
                  and coalesce((solved_message_id is not null) = ${scope.posts?.solved ?? null}::boolean, true))) is true
    order by id desc limit ${limit}`)
  return rows.map((row) => ({
    id: row.id,
    roomId: row.channel_id,
    channelId: row.thread_id ?? row.channel_id,
  }))
}

/**
 * Counts, in a sample of some thousand messages, how many match each clause. The sample is spread over the tenant's
 * time, so that old topics are represented.
 * @param places ids at which to sample
 */
export async function sample(
  database: Queryable,
  tenantId: string,
  places: readonly string[],
  clauses: readonly Clause[],
): Promise<{ rows: number; hits: number[] }> {
  const found = await database.query<{ rows: number; hits: number }>(sql`
    with page as materialized (
      select words
      from unnest(${places}::uuid[]) as place (id)
        cross join lateral (
          select words from message_words
          where tenant_id = ${tenantId} and message_words.id <= place.id
          order by message_words.id desc limit ${ROWS_PER_SAMPLE}) as near
    )
    select count(*)::integer as rows, (count(*) filter (where words @@ query))::integer as hits
    from unnest(${clauses.map(({ query }) => query)}::tsquery[]) with ordinality as clause (query, place)
      cross join page
    group by place order by place`)
  return { rows: found[0]?.rows ?? 0, hits: found.map(({ hits }) => hits) }
}

/** Messages at each sampled id. They are consecutive, so that they share few pages of the table. */
const ROWS_PER_SAMPLE = 256

/** Returns the id of a tenant's oldest message. */
export async function findOldestId(database: Queryable, tenantId: string): Promise<string | undefined> {
  const [row] = await database.query<{ id: string }>(sql`
    select id from message_words where tenant_id = ${tenantId} order by id limit 1`)
  return row?.id
}
