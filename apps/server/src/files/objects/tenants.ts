import type { Transaction } from '#src/kernel/database/database.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { discardFiles } from './actions.ts'
import { closeBuckets } from './ledger.ts'

/**
 * Deletes all files of a deleted user or report, an ended conversation, or an ended export or import, and closes their
 * storage. Not for spaces, which may have too many files for one transaction.
 */
export async function discardTenant(transaction: Transaction, tenantId: string): Promise<void> {
  await discardFiles(transaction, tenantId, await listFileIds(transaction, tenantId))
  await closeBuckets(transaction, tenantId)
}

/**
 * Deletes some of a tenant's files.
 * @returns the number deleted; fewer than the limit when none are left
 */
export async function discardSome(
  transaction: Transaction,
  tenantId: string,
  limit: number,
): Promise<number> {
  const ids = await listFileIds(transaction, tenantId, limit)
  await discardFiles(transaction, tenantId, ids)
  return ids.length
}

/** Lists the files that are not deleted. */
export async function listFileIds(
  transaction: Queryable,
  tenantId: string,
  limit: number | null = null,
): Promise<string[]> {
  const rows = await transaction.query<{ id: string }>(sql`
    select id from attachments
    where tenant_id = ${tenantId} and state in ('reserved', 'stored', 'live') order by id limit ${limit}::integer`)
  return rows.map((row) => row.id)
}
