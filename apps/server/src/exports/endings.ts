import { discardTenant } from '#src/files/objects/tenants.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { takeExpired, takeExport, takeExportsBy } from './queries.ts'

/** Deletes an export and its archive. */
export async function endExport(transaction: Transaction, id: string): Promise<void> {
  await takeExport(transaction, id)
  await discardTenant(transaction, id)
}

/** Deletes a person's exports, because no one is left to download them. */
export async function endExportsBy(transaction: Transaction, userId: string): Promise<void> {
  await discardAll(transaction, await takeExportsBy(transaction, userId))
}

/**
 * Deletes expired exports.
 * @returns the ids of the deleted exports; fewer than `limit` if no more can be deleted now
 */
export async function endExpired(transaction: Transaction, limit: number): Promise<string[]> {
  const ids = await takeExpired(transaction, limit)
  await discardAll(transaction, ids)
  return ids
}

/** Discards the archives in the order of their ids, so that two transactions never deadlock. */
async function discardAll(transaction: Transaction, ids: readonly string[]): Promise<void> {
  for (const id of ids.toSorted()) await discardTenant(transaction, id)
}
