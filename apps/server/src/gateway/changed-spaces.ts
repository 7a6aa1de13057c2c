import type { ReplayRange } from '#src/kernel/journal.ts'
import { type Queryable, sql } from '#src/kernel/sql.ts'

/**
 * The spaces of which the user may see other rooms than before: somebody changed the access to them, the user's roles or
 * membership.
 */
export async function listChangedSpaces(
  database: Queryable,
  userId: string,
  { topics, after, before }: ReplayRange,
): Promise<string[]> {
  const tenants = topics.filter(({ tenantId, channelId }) => tenantId === channelId)
  const rows = await database.query<{ id: string }>(sql`
    select distinct case name when 'SPACE_CREATE' then data::json ->> 'id' else tenant_id::text end as id
    from unnest(${tenants.map(({ tenantId }) => tenantId)}::uuid[]) as topic (tenant_id)
    join events using (tenant_id)
    where channel_id = tenant_id and id > ${after} and id < ${before} and (
      name in ('SPACE_CREATE', 'SPACE_ACCESS_CHANGE')
      or (name = 'SPACE_MEMBER_UPDATE' and data::json ->> 'user_id' = ${userId}))
    order by id`)
  return rows.map((row) => row.id)
}
