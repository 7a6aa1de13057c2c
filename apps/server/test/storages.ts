import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'

export interface StorageLimits {
  maxBytes?: number
  uploadLimitBytes?: number
}

/** Gives the space a bucket in the server's own storage and makes it active. Returns the id of the bucket. */
export async function addStorage(
  server: RunningServer,
  spaceId: string,
  { maxBytes, uploadLimitBytes }: StorageLimits = {},
): Promise<string> {
  const id = newId()
  await server.deps.database.execute(sql`
    insert into storage_buckets (tenant_id, id, kind, name, max_bytes, upload_limit_bytes, active)
    values (${spaceId}, ${id}, 'included', 'Included', ${maxBytes ?? null}, ${uploadLimitBytes ?? null}, true)`)
  return id
}

/** Files of a tenant, and the bytes counted for them. */
export interface Holdings {
  /** Ids of files that are reserved, stored or live. */
  ids: string[]
  usedBytes: number
}

export async function listHoldings(server: RunningServer, tenantId: string): Promise<Holdings> {
  const files = await server.deps.database.query<{ id: string }>(sql`
    select id from attachments
    where tenant_id = ${tenantId} and state in ('reserved', 'stored', 'live') order by id`)
  const [row] = await server.deps.database.query<{ used: number }>(sql`
    select coalesce(sum(used_bytes), 0)::bigint as used from storage_buckets where tenant_id = ${tenantId}`)
  return { ids: files.map(({ id }) => id), usedBytes: row?.used ?? 0 }
}

/** Counts all files that were ever reserved for the tenant, including removed ones. */
export async function countReserved(server: RunningServer, tenantId: string): Promise<number> {
  const [row] = await server.deps.database.query<{ count: number }>(
    sql`select count(*) from attachments where tenant_id = ${tenantId}`,
  )
  return row?.count ?? 0
}
