import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'

export interface StorageLimits {
  maxBytes?: number
  uploadLimitBytes?: number
}

/** Gives the space a part of the server's own storage, which is its active bucket then. Answers with the bucket's id. */
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

/** What is true of a tenant's files at the moment: the names of those that count, and the bytes that are counted. */
export interface Holdings {
  /** Ids of the files that are reserved, stored or shown. */
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

/** How many files were ever reserved for the tenant, those that are gone included. */
export async function countReserved(server: RunningServer, tenantId: string): Promise<number> {
  const [row] = await server.deps.database.query<{ count: number }>(
    sql`select count(*) from attachments where tenant_id = ${tenantId}`,
  )
  return row?.count ?? 0
}
