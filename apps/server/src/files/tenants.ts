import type { Transaction } from '#src/kernel/database.ts'
import { type Queryable, sql } from '#src/kernel/sql.ts'
import { discardFiles } from './actions.ts'

/**
 * The tenant is gone for good: its files are deleted, and nothing more is stored for it. For a user, who has a picture or
 * two; not for a space, whose files may be more than a transaction has time for.
 */
export async function discardTenant(transaction: Transaction, tenantId: string): Promise<void> {
  await discardFiles(transaction, tenantId, await listFileIds(transaction, tenantId))
  await closeBuckets(transaction, tenantId)
}

/** They go once they are empty. What somebody stores at the same moment finds no room in them, and is given up. */
async function closeBuckets(transaction: Queryable, tenantId: string): Promise<void> {
  await transaction.query(sql`
    update storage_buckets set deleted_at = now(), active = false
    where tenant_id = ${tenantId} and deleted_at is null`)
}

async function listFileIds(transaction: Queryable, tenantId: string): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    select id from attachments
    where tenant_id = ${tenantId} and state in ('reserved', 'stored', 'live') order by id`)
  return rows.map((row) => row.id)
}
